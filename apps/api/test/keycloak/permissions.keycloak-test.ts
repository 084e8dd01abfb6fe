import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { outcome } from '../support/api.ts';
import type { Permissions } from '../support/records.ts';
import { useKeycloakWorld } from './support/keycloak-world.ts';
import { addRealmRole, createTenant, createUser, type TestUser } from './support/logins.ts';
import { passwordGrant, requestTokens } from './support/tokens.ts';

const page = readFileSync(fileURLToPath(new URL('../../../../docs/run/keycloak.md', import.meta.url)), 'utf8');
/** The example in docs/run/keycloak.md. */
const example = JSON.parse(/```json\n(\{\s+"authorizationServicesEnabled".*?)```/s.exec(page)?.[1] ?? '') as object;

const world = useKeycloakWorld({
  change(realm) {
    const clients = realm['clients'] as { clientId: string }[];
    const roles = realm['roles'] as { realm: object[] };
    return {
      ...realm,
      roles: { ...roles, realm: [...roles.realm, { name: 'app-reader' }] },
      clients: clients.map((client) => (client.clientId === 'profile-service' ? { ...client, ...example } : client)),
    };
  },
});
let tenant: string;
beforeAll(async () => void (tenant = await createTenant(world, `client-${randomUUID()}`)));

async function viewer(roles: string[]): Promise<TestUser> {
  const user = await createUser(world);
  await world.call(world.global, `POST /api/users/${user.id}/tenants`, { tenantId: tenant, persona: 'viewer' });
  for (const role of roles) await addRealmRole(world, user.subject, role);
  return user;
}

/** Exchanges an access token for an RPT, as docs/run/keycloak.md describes. */
async function rptOf(token: string, audience = 'profile-service'): Promise<string> {
  const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket', audience };
  return (await requestTokens(world.realm.url, grant, { authorization: `Bearer ${token}` })).access_token;
}

describe('an RPT of the example in docs/run/keycloak.md', () => {
  test('gives access to the resources and scopes that it names, and to no others', async () => {
    const token = await passwordGrant(world.realm.url, await viewer(['app-reader']));
    const rpt = await rptOf(token);
    const outcomeOf = async (bearer: string, target: string, body?: object) => outcome(await world.call({ token: bearer }, target, body));
    expect(await outcomeOf(token, 'GET /api/apps')).toBe('NOT_ALLOWED');
    expect(await outcomeOf(rpt, 'GET /api/apps')).toBe(200);
    expect(await outcomeOf(rpt, 'POST /api/apps', { name: 'new' })).toBe('NOT_ALLOWED');
    expect(await outcomeOf(rpt, 'GET /api/customers')).toBe('NOT_ALLOWED');
    const { permissions } = (await world.call<Permissions>({ token: rpt }, 'GET /api/me/permissions')).body;
    expect(permissions).toContainEqual({ resource: 'resource:apps', scopes: ['read'] });
  });

  test('is not issued to a user without the role', async () => {
    const token = await passwordGrant(world.realm.url, await viewer([]));
    await expect(rptOf(token)).rejects.toThrow(/403.*access_denied/);
  });
});
