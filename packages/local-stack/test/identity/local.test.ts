import { expect, test } from 'vitest';
import { ana, bob } from './contract/realm-data.ts';
import { adminClient, newUser, passwordGrant, refreshGrant } from './contract/requests.ts';
import { duringTests } from '../../../../test/during-tests.ts';
import { startLocalProvider } from './local-provider.ts';

/* What the provider of the local stack has in addition to Keycloak. */
const idp = duringTests(startLocalProvider, ({ stop }) => stop());

test('logout accepts an expired ID token', async () => {
  const { body } = await passwordGrant(idp, bob.email, bob.password, { scope: 'openid' });
  const expired = await idp.sign({ typ: 'ID', azp: 'profile-web', sid: body['session_state'] }, { expiresIn: -3600 });
  const page = await fetch(`${idp.realmUrl}/protocol/openid-connect/logout?id_token_hint=${expired}`);
  expect(await page.text()).toContain('You are logged out');
  expect((await refreshGrant(idp, body['refresh_token'])).status).toBe(400);
});

test('the admin API needs a valid access token of an enabled user of this realm', async () => {
  const statusOf = async (token: string) =>
    (await fetch(`${idp.url}/admin/realms/${idp.realm}/users`, { headers: { authorization: `Bearer ${token}` } })).status;
  const admin = await adminClient(idp);
  const { sub } = JSON.parse(atob(admin.accessToken?.split('.')[1] ?? '')) as { sub: string };
  expect(await statusOf(await idp.sign({ sub }))).toBe(200);
  expect(await statusOf(await idp.sign({ sub, iss: 'https://elsewhere.example' }))).toBe(401);
  expect(await statusOf(await idp.sign({ sub }, { expiresIn: -60 }))).toBe(401);
  expect(await statusOf(await idp.sign({ sub: crypto.randomUUID() }))).toBe(401);

  const { id } = await admin.users.create(newUser());
  const token = await idp.sign({ sub: id });
  expect(await statusOf(token)).toBe(403);
  await admin.users.update({ id }, { enabled: false });
  expect(await statusOf(token)).toBe(401);
});

test('the mailbox shows the mails newest first, as a page and as JSON', async () => {
  const actions = ['UPDATE_PASSWORD', 'VERIFY_EMAIL'];
  const admin = await adminClient(idp);
  for (const lifespan of [100, 200]) await admin.users.executeActionsEmail({ id: ana.id, actions, lifespan });
  const firstLink = expect.stringContaining(`${idp.realmUrl}/login-actions/action-token?key=`);
  expect(idp.mails[0]).toMatchObject({ to: ana.email, subject: 'Update Your Account', link: firstLink, actions });
  const lifespans = idp.mails.map(({ sentAt, expiresAt }) => Math.round((Date.parse(expiresAt) - Date.parse(sentAt)) / 1000));
  expect(lifespans).toEqual([100, 200]);
  const json = (await (await fetch(`${idp.mailboxUrl}.json`)).json()) as { link: string }[];
  expect(json).toEqual(idp.mails.toReversed());
  const text = await (await fetch(idp.mailboxUrl)).text();
  const links = [...text.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href);
  expect(links).toEqual(json.map(({ link }) => link));
});
