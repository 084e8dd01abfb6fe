import { praca } from '@profile-service/contracts/examples';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createTestDatabaseWithMap } from '../../../../test/database.ts';
import { createRealm } from '../../../../test/keycloak/create-realm.ts';
import { realmOfFile } from '../../../../test/keycloak/realm-file.ts';
import { type Actor, createApi, outcome } from '../support/api.ts';
import type { Organization } from '../support/records.ts';
import { useKeycloakWorld } from './support/keycloak-world.ts';
import { createTenant, createUser } from './support/logins.ts';
import { clientCredentials, passwordGrant } from './support/tokens.ts';

const world = useKeycloakWorld({ createDatabase: createTestDatabaseWithMap });
/** The tenants of the two applications, and an organization that is linked to the first one only. */
let portal: string;
let reports: string;
let organization: Organization;
beforeAll(async () => {
  [portal, reports] = [await createTenant(world, 'portal-app'), await createTenant(world, 'reports-app')];
  const body = { name: 'Cooperativa Vale Verde', federalTaxId: '23876541000119', address: praca };
  const created = await world.call<Organization>(await application('portal-app'), 'POST /service/organizations', body);
  if (created.status !== 201) throw new Error(`POST /service/organizations answered ${created.status}`);
  organization = created.body;
});

const application = async (clientId: 'portal-app' | 'reports-app') => ({ token: await clientCredentials(world.realm.url, clientId) });
const list = async (actor: Actor, target: string) => {
  const response = await world.call<{ data: Organization[] }>(actor, target);
  return response.status === 200 ? response.body.data.map(({ id }) => id) : outcome(response);
};

test('an application sees the organizations of its tenant, and no others', async () => {
  const [own, other] = [await application('portal-app'), await application('reports-app')];
  const filtered = `GET /service/organizations?organizationId=${organization.id}`;
  expect([await list(own, 'GET /service/organizations'), await list(own, filtered)]).toEqual([[organization.id], [organization.id]]);
  expect([await list(other, 'GET /service/organizations'), await list(other, filtered)]).toEqual([[], 'NOT_ALLOWED_ORGANIZATION']);
});

test('X-Tenant-Id selects one of the tenants of a user, and with it the organizations', async () => {
  const user = await createUser(world);
  for (const tenantId of [portal, reports])
    await world.call(world.global, `POST /api/users/${user.id}/tenants`, { tenantId, persona: 'viewer' });
  const foreign = await createTenant(world, 'another-app');
  const token = await passwordGrant(world.realm.url, user);
  const seen = (tenant?: string) => list(tenant === undefined ? { token } : { token, tenant }, 'GET /api/organizations');
  expect([await seen(), await seen(portal), await seen(reports), await seen(foreign)]).toEqual([
    'ACTIVE_TENANT_REQUIRED',
    [organization.id],
    [],
    'TENANT_NOT_ALLOWED',
  ]);
});

test('with two issuers, users come from one realm and applications from the other', async () => {
  const applications = await createRealm(world.keycloak, realmOfFile());
  onTestFinished(() => applications.stop());
  const { call } = createApi((await world.another({ IDENTITY_AUTH_URL: applications.url })).url);
  const [own, foreign] = [{ token: await clientCredentials(applications.url, 'portal-app') }, await application('portal-app')];
  const outcomes = [
    await call(world.global, 'GET /api/apps'),
    await call(own, 'GET /service/organizations'),
    await call(foreign, 'GET /service/organizations'),
    await call(own, 'GET /api/apps'),
    await call(world.global, 'GET /service/organizations'),
  ].map(outcome);
  expect(outcomes).toEqual([200, 200, 'UNAUTHORIZED', 'UNAUTHORIZED', 'UNAUTHORIZED']);
});
