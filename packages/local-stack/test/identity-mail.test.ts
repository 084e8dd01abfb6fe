import type KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IdentityProvider } from '../src/identity/provider.ts';
import { Browser } from './identity-browser.ts';
import { adminClient, ana, passwordGrant, startRealm, verified } from './identity-realm.ts';

const actions = ['UPDATE_PASSWORD', 'VERIFY_EMAIL'];
let idp: IdentityProvider;
let admin: KeycloakAdminClient;

beforeAll(async () => {
  idp = await startRealm();
  admin = await adminClient(idp);
});
afterAll(() => idp.stop());

async function invited(special: object = {}): Promise<{ id: string; email: string }> {
  const email = `${crypto.randomUUID()}@example.com`;
  const { id } = await admin.users.create({
    email,
    firstName: 'Nova',
    lastName: 'Pessoa',
    enabled: true,
    requiredActions: actions,
    ...special,
  });
  return { id, email };
}

const mailTo = (email: string) => idp.mails.findLast(({ to }) => to === email);

describe('the mail with actions', () => {
  test('leads to a page where the person sets a password, after which they can log in with a verified e-mail', async () => {
    const { id, email } = await invited();
    await admin.users.executeActionsEmail({
      id,
      actions,
      clientId: 'profile-web',
      redirectUri: 'http://localhost:5173/welcome',
      lifespan: 3600,
    });
    const mail = mailTo(email);
    expect(mail).toEqual({
      id: expect.any(String),
      to: email,
      subject: 'Update Your Account',
      link: expect.stringContaining(`${idp.realmUrl}/login-actions/action-token?key=`),
      actions,
      sentAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    expect(Math.round((Date.parse(mail?.expiresAt ?? '') - Date.parse(mail?.sentAt ?? '')) / 1000)).toBe(3600);

    const browser = new Browser(idp.url);
    const form = await browser.open(mail?.link ?? '');
    expect((await browser.submit(form, { 'password-new': 'one', 'password-confirm': 'other' })).text).toContain(
      'Passwords don&#39;t match.',
    );
    expect((await browser.submit(form, { 'password-new': '', 'password-confirm': '' })).text).toContain('Please specify password.');
    expect((await passwordGrant(idp, email, 'one')).status).toBe(400);
    const done = await browser.submit(form, { 'password-new': 'chosen', 'password-confirm': 'chosen' });
    expect(done.text).toContain('Your account has been updated.');
    expect(done.text).toContain('<a href="http://localhost:5173/welcome">');

    const { body } = await passwordGrant(idp, email, 'chosen');
    expect((await verified(idp, body['access_token'])).payload).toMatchObject({ sub: id, email, email_verified: true });
    expect(await admin.users.findOne({ id })).toMatchObject({ emailVerified: true, requiredActions: [] });
  });

  test('works once and not after its time', async () => {
    const browser = new Browser(idp.url);
    const { id, email } = await invited();
    await admin.users.executeActionsEmail({ id, actions });
    const link = mailTo(email)?.link ?? '';
    await browser.submit(await browser.open(link), { 'password-new': 'chosen', 'password-confirm': 'chosen' });
    const used = await browser.open(link);
    expect([used.status, used.text]).toEqual([400, expect.stringContaining('Action expired.')]);
    expect((await browser.open(`${link}x`)).status).toBe(400);
    expect((await browser.open(`${idp.realmUrl}/login-actions/action-token?key=__proto__`)).status).toBe(400);

    await admin.users.executeActionsEmail({ id, actions, lifespan: 1 });
    const short = mailTo(email);
    await expect.poll(async () => (await browser.open(short?.link ?? '')).status, { timeout: 5000 }).toBe(400);
  });

  test('leads nowhere for somebody who was disabled or deleted', async () => {
    const { id, email } = await invited();
    await admin.users.executeActionsEmail({ id, actions });
    const open = async () => (await new Browser(idp.url).open(mailTo(email)?.link ?? '')).status;
    expect(await open()).toBe(200);
    await admin.users.update({ id }, { enabled: false });
    expect(await open()).toBe(400);
    await admin.users.del({ id });
    expect(await open()).toBe(400);
  });

  test.each([
    ['a redirect without a client', { redirectUri: 'http://localhost:5173/' }, 'Client id missing'],
    [
      'a redirect that the client does not allow',
      { clientId: 'profile-web', redirectUri: 'https://evil.example/' },
      'Invalid redirect uri.',
    ],
    ['an unknown client', { clientId: 'nobody' }, "Client doesn't exist"],
    ['an unknown action', { actions: ['DANCE'] }, 'Provided invalid required actions'],
  ])('is refused for %s', async (_case, special, errorMessage) => {
    const { id, email } = await invited();
    const sent = admin.users.executeActionsEmail({ id, actions, ...special });
    await expect(sent).rejects.toMatchObject({ response: { status: 400 }, responseData: { errorMessage } });
    expect(mailTo(email)).toBeUndefined();
  });

  test('is refused for a disabled user, and for one without an e-mail', async () => {
    const disabled = await invited({ enabled: false });
    const refused = (id: string) => admin.users.executeActionsEmail({ id, actions });
    await expect(refused(disabled.id)).rejects.toMatchObject({ responseData: { errorMessage: 'User is disabled' } });
    const { sub } = JSON.parse(atob(admin.accessToken?.split('.')[1] ?? '')) as { sub: string };
    await expect(refused(sub)).rejects.toMatchObject({ responseData: { errorMessage: 'User email missing' } });
    await expect(refused(crypto.randomUUID())).rejects.toMatchObject({ responseData: { error: 'User not found' } });
  });
});

describe('the mailbox', () => {
  test('shows the mails newest first, as a page and as JSON', async () => {
    for (const lifespan of [100, 200]) await admin.users.executeActionsEmail({ id: ana.id, actions, lifespan });
    const json = (await (await fetch(`${idp.mailboxUrl}.json`)).json()) as { link: string }[];
    expect(json).toEqual(idp.mails.toReversed());
    const page = await fetch(idp.mailboxUrl);
    const text = await page.text();
    const links = [...text.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href);
    expect(links).toEqual(json.map(({ link }) => link));
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('escapes what it shows', async () => {
    const email = '"<b>bold</b>"@example.com';
    const { id } = await admin.users.create({ email, firstName: 'Nova', lastName: 'Pessoa', enabled: true });
    await admin.users.executeActionsEmail({ id, actions });
    const text = await (await fetch(idp.mailboxUrl)).text();
    expect(text).toContain('&#60;b&#62;bold');
    expect(text).not.toContain('<b>');
  });
});
