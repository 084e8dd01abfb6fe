import type KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IdentityProvider } from '../../src/identity/provider.ts';
import { adminClient, newUser } from './contract/requests.ts';
import { startLocalProvider } from './local-provider.ts';

let idp: IdentityProvider;
let admin: KeycloakAdminClient;

beforeAll(async () => {
  idp = await startLocalProvider();
  admin = await adminClient(idp);
});
afterAll(() => idp.stop());

const statusOf = async (token: string) =>
  (await fetch(`${idp.url}/admin/realms/${idp.realm}/users`, { headers: { authorization: `Bearer ${token}` } })).status;

test('the admin API needs a valid access token of this realm', async () => {
  const { sub } = JSON.parse(atob(admin.accessToken?.split('.')[1] ?? '')) as { sub: string };
  expect(await statusOf(await idp.sign({ sub }))).toBe(200);
  expect(await statusOf('junk')).toBe(401);
  expect(await statusOf(await idp.sign({ sub, iss: 'https://elsewhere.example' }))).toBe(401);
  expect(await statusOf(await idp.sign({ sub }, { expiresIn: -60 }))).toBe(401);
  expect(await statusOf(await idp.sign({ sub, typ: 'ID' }))).toBe(401);
  expect(await statusOf(await idp.sign({ sub: crypto.randomUUID() }))).toBe(401);
});

test('access to the admin API ends when the user is disabled', async () => {
  const { id } = await admin.users.create(newUser());
  const token = await idp.sign({ sub: id });
  expect(await statusOf(token)).toBe(403);
  await admin.users.update({ id }, { enabled: false });
  expect(await statusOf(token)).toBe(401);
});
