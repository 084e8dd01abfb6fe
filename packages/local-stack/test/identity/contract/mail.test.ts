import { describe, expect, test } from 'vitest';
import { Browser, linkOn, type Page } from '../../../../../test/page-browser.ts';
import { createLogin, errorOf, passwordGrant, useAdmin, verified } from './requests.ts';
import { useProvider } from './start-provider.ts';

const actions = ['UPDATE_PASSWORD', 'VERIFY_EMAIL'];
const idp = useProvider();
const admin = useAdmin(idp);

const createUser = (fields: object = {}) => createLogin(admin, { requiredActions: actions, ...fields });

/** Returns the link of the latest mail to an address. Keycloak sends the mail before it responds. */
async function linkTo(email: string): Promise<string> {
  await expect.poll(() => idp.linksTo(email)).not.toEqual([]);
  return (await idp.linksTo(email)).at(-1) ?? '';
}

/** Opens a link in a new browser, which has no session. */
const open = (link: string): Promise<Page> => new Browser(idp.url).openMail(link);

describe('the mail of required actions', () => {
  test('links once to a page that sets the password and verifies the e-mail', async () => {
    const { id, email } = await createUser();
    const redirectUri = 'http://localhost:5173/welcome';
    await admin.users.executeActionsEmail({ id, actions, clientId: 'profile-web', redirectUri, lifespan: 3600 });
    const browser = new Browser(idp.url);
    const link = await linkTo(email);
    const form = await browser.openMail(link);
    const different = await browser.submit(form, { 'password-new': 'one', 'password-confirm': 'other' });
    expect(different.text).toMatch(/Passwords don(?:'|&#39;)t match\./);
    const empty = await browser.submit(different, { 'password-new': '', 'password-confirm': '' });
    expect(empty.text).toContain('Please specify password.');
    expect((await passwordGrant(idp, email, 'one')).status).toBe(400);
    const done = await browser.submit(empty, { 'password-new': 'chosen', 'password-confirm': 'chosen' });
    expect(done.text).toContain('Your account has been updated.');
    expect(linkOn(done, 'Back to Application')).toBe(redirectUri);

    const { body } = await passwordGrant(idp, email, 'chosen');
    expect((await verified(idp, body['access_token'])).payload).toMatchObject({ sub: id, email, email_verified: true });
    expect(await admin.users.findOne({ id })).toMatchObject({ emailVerified: true, requiredActions: [] });
    for (const invalid of [link, `${link}x`]) {
      const page = await open(invalid);
      expect([page.status, page.text]).toEqual([400, expect.stringContaining('We are sorry...')]);
    }
  });

  test('has a link that expires', async () => {
    const { id, email } = await createUser();
    await admin.users.executeActionsEmail({ id, actions, lifespan: 1 });
    const link = await linkTo(email);
    await expect.poll(async () => (await open(link)).status).toBe(400);
  });

  const foreign = { clientId: 'profile-web', redirectUri: 'https://evil.example/' };
  test.each([
    ['a redirect without a client', {}, { redirectUri: 'http://localhost:5173/' }, 'Client id missing'],
    ['a redirect that the client does not allow', {}, foreign, 'Invalid redirect uri.'],
    ['an unknown client', {}, { clientId: 'nobody' }, "Client doesn't exist"],
    ['a disabled user', { enabled: false }, {}, 'User is disabled'],
  ])('is refused with 400 for %s', async (_case, fields, request, errorMessage) => {
    const { id, email } = await createUser(fields);
    const sent = admin.users.executeActionsEmail({ id, actions, ...request });
    await expect(sent).rejects.toMatchObject({ response: { status: 400 }, responseData: { errorMessage } });
    expect(await idp.linksTo(email)).toEqual([]);
  });

  test('is 500 while the mail server rejects it, and is sent when it is requested again', async () => {
    const { id, email } = await createUser();
    idp.rejectMails(true);
    const errorMessage = expect.stringContaining('Failed to send execute actions email');
    expect(await errorOf(admin.users.executeActionsEmail({ id, actions }))).toEqual({ status: 500, data: { errorMessage } });
    idp.rejectMails(false);
    expect(await idp.linksTo(email)).toEqual([]);
    await admin.users.executeActionsEmail({ id, actions });
    await linkTo(email);
  });
});
