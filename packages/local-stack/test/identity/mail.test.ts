import type KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IdentityProvider } from '../../src/identity/provider.ts';
import { Browser } from './browser.ts';
import { adminClient, ana, newUser, passwordGrant, startRealm, verified } from './realm.ts';

const actions = ['UPDATE_PASSWORD', 'VERIFY_EMAIL'];
let idp: IdentityProvider;
let admin: KeycloakAdminClient;

beforeAll(async () => {
  idp = await startRealm();
  admin = await adminClient(idp);
});
afterAll(() => idp.stop());

async function createUser(fields: object = {}): Promise<{ id: string; email: string }> {
  const user = { ...newUser(), requiredActions: actions, ...fields };
  const { id } = await admin.users.create(user);
  return { id, email: user.email };
}

const mailTo = (email: string) => idp.mails.findLast(({ to }) => to === email);
const statusOf = async (link: string | undefined) => (await new Browser(idp.url).open(link ?? '')).status;

describe('the mail of required actions', () => {
  test('links to a page that sets the password and verifies the e-mail', async () => {
    const { id, email } = await createUser();
    const redirectUri = 'http://localhost:5173/welcome';
    await admin.users.executeActionsEmail({ id, actions, clientId: 'profile-web', redirectUri, lifespan: 3600 });
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
    const different = await browser.submit(form, { 'password-new': 'one', 'password-confirm': 'other' });
    expect(different.text).toContain('Passwords don&#39;t match.');
    expect((await browser.submit(form, { 'password-new': '', 'password-confirm': '' })).text).toContain('Please specify password.');
    expect((await passwordGrant(idp, email, 'one')).status).toBe(400);
    const done = await browser.submit(form, { 'password-new': 'chosen', 'password-confirm': 'chosen' });
    expect(done.text).toContain('Your account has been updated.');
    expect(done.text).toContain(`<a href="${redirectUri}">`);

    const { body } = await passwordGrant(idp, email, 'chosen');
    expect((await verified(idp, body['access_token'])).payload).toMatchObject({ sub: id, email, email_verified: true });
    expect(await admin.users.findOne({ id })).toMatchObject({ emailVerified: true, requiredActions: [] });
  });

  test('has a link that works once', async () => {
    const { id, email } = await createUser();
    await admin.users.executeActionsEmail({ id, actions });
    const link = mailTo(email)?.link ?? '';
    const browser = new Browser(idp.url);
    await browser.submit(await browser.open(link), { 'password-new': 'chosen', 'password-confirm': 'chosen' });
    const used = await browser.open(link);
    expect([used.status, used.text]).toEqual([400, expect.stringContaining('Action expired.')]);
    expect(await statusOf(`${link}x`)).toBe(400);
  });

  test('has a link that expires', async () => {
    const { id, email } = await createUser();
    await admin.users.executeActionsEmail({ id, actions, lifespan: 1 });
    await expect.poll(() => statusOf(mailTo(email)?.link)).toBe(400);
  });

  test('has a link that stops working when the user is disabled', async () => {
    const { id, email } = await createUser();
    await admin.users.executeActionsEmail({ id, actions });
    expect(await statusOf(mailTo(email)?.link)).toBe(200);
    await admin.users.update({ id }, { enabled: false });
    expect(await statusOf(mailTo(email)?.link)).toBe(400);
  });

  test.each([
    ['a redirect without a client', {}, { redirectUri: 'http://localhost:5173/' }, 'Client id missing'],
    [
      'a redirect that the client does not allow',
      {},
      { clientId: 'profile-web', redirectUri: 'https://evil.example/' },
      'Invalid redirect uri.',
    ],
    ['an unknown client', {}, { clientId: 'nobody' }, "Client doesn't exist"],
    ['an unknown action', {}, { actions: ['DANCE'] }, 'Provided invalid required actions'],
    ['a disabled user', { enabled: false }, {}, 'User is disabled'],
  ])('is refused with 400 for %s', async (_case, fields, request, errorMessage) => {
    const { id, email } = await createUser(fields);
    const sent = admin.users.executeActionsEmail({ id, actions, ...request });
    await expect(sent).rejects.toMatchObject({ response: { status: 400 }, responseData: { errorMessage } });
    expect(mailTo(email)).toBeUndefined();
  });
});

test('the mailbox shows the mails newest first, as a page and as JSON', async () => {
  for (const lifespan of [100, 200]) await admin.users.executeActionsEmail({ id: ana.id, actions, lifespan });
  const json = (await (await fetch(`${idp.mailboxUrl}.json`)).json()) as { link: string }[];
  expect(json).toEqual(idp.mails.toReversed());
  const text = await (await fetch(idp.mailboxUrl)).text();
  const links = [...text.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href);
  expect(links).toEqual(json.map(({ link }) => link));
});
