import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tenant, TokenOptions } from '../support/people.ts';
import { rpt } from '../support/rpt.ts';
import { profileClient, startWorld, type World } from '../support/world.ts';

/** Decisions, part 2: the five ways past the guard. The persona matrix is proved for every row elsewhere. */
let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await startWorld();
  tenant = await world.tenant();
});
afterAll(() => world.stop());

const viewer = (token: TokenOptions = {}) => world.person({ [tenant.id]: 'viewer' }, token);
let counter = 0;
const createApp = async (token: TokenOptions, tenantId = tenant.id) => {
  const person = { ...(await world.person({ [tenant.id]: 'viewer' }, token)), tenant: tenantId };
  return world.call(person, 'POST /api/apps', { name: `Guarded ${(counter += 1)}` });
};

describe('the exception role <module>:<scope>', () => {
  test.each([
    ['users', '/api/users'],
    ['customers', '/api/customers'],
    ['apps', '/api/apps'],
    ['tenants', '/api/tenants'],
  ])('%s:read opens that module for reading and nothing else', async (module, path) => {
    const person = await viewer({ roles: [`${module}:read`] });
    expect((await world.call(person, `GET ${path}`)).status).toBe(200);
    expect((await world.call(person, `POST ${path}`, {})).code).toBe('NOT_ALLOWED');
    const others = ['/api/users', '/api/customers', '/api/apps', '/api/tenants'].filter((other) => other !== path);
    for (const other of others) expect((await world.call(person, `GET ${other}`)).code).toBe('NOT_ALLOWED');
  });

  test('counts as a role of this service’s own client, and not of another', async () => {
    const roles = { roles: ['apps:create'] };
    expect((await createApp({ claims: { resource_access: { [profileClient.clientId]: roles } } })).status).toBe(201);
    expect((await createApp({ claims: { resource_access: { web: roles, account: roles } } })).code).toBe('NOT_ALLOWED');
  });

  test('does not stand for an active tenant', async () => {
    const roles = { roles: ['users:read'] };
    expect((await world.call(await world.person({}, roles), 'GET /api/users')).code).toBe('ACTIVE_TENANT_REQUIRED');
    expect((await world.call({ ...(await viewer(roles)), tenant: 'x' }, 'GET /api/users')).code).toBe('TENANT_NOT_ALLOWED');
  });
});

describe('super_admin', () => {
  test('opens the modules that are not reserved', async () => {
    expect((await createApp({ roles: ['super_admin'] })).status).toBe(201);
    const person = await viewer({ roles: ['super_admin'] });
    expect((await world.call(person, 'GET /api/tenants')).status).toBe(200);
    for (const path of ['/api/users', '/api/customers', `/api/users/${person.id}/tenants`, '/api/cooperatives'])
      expect((await world.call(person, `GET ${path}`)).code).toBe('NOT_ALLOWED');
  });

  test('is a realm role: as a role of a client it counts for nothing', async () => {
    const claims = { resource_access: { [profileClient.clientId]: { roles: ['super_admin'] } } };
    expect((await createApp({ claims })).code).toBe('NOT_ALLOWED');
  });
});

describe('an RPT permission', () => {
  test('opens its scope of its resource, where the module is not reserved', async () => {
    const claims = rpt('resource:apps', ['read', 'create']);
    expect((await createApp({ claims })).status).toBe(201);
    const person = await viewer({ claims });
    expect((await world.call(person, 'GET /api/apps')).status).toBe(200);
    expect((await world.call(person, `GET /api/apps/${tenant.appId}`)).code).toBe('NOT_ALLOWED');
    expect((await createApp({ claims: rpt('resource:apps', ['read']) })).code).toBe('NOT_ALLOWED');
    const reserved = await viewer({ claims: rpt('resource:customers', ['read']) });
    expect((await world.call(reserved, 'GET /api/customers')).code).toBe('NOT_ALLOWED');
  });

  test('of another client counts for nothing', async () => {
    expect((await createApp({ claims: rpt('resource:apps', ['create'], 'web') })).code).toBe('NOT_ALLOWED');
  });
});

test('roles are those of the presented token: two tokens of one person share none', async () => {
  const person = await viewer();
  const withRole = { token: await world.tokenOf({ sub: person.subject, roles: ['apps:read'] }) };
  expect((await world.call(withRole, 'GET /api/apps')).status).toBe(200);
  expect((await world.call(person, 'GET /api/apps')).code).toBe('NOT_ALLOWED');
  expect((await world.call(withRole, 'GET /api/apps')).status).toBe(200);
});

describe('a Global user', () => {
  test('bypasses every check, with X-Tenant-Id too', async () => {
    const person = await world.person({ [tenant.id]: 'viewer' }, { type: 'Global' });
    const other = await world.tenant();
    for (const actor of [person, { ...person, tenant: tenant.id }, { ...person, tenant: '' }]) {
      for (const path of ['/api/users', '/api/customers', '/api/cooperatives', `/api/tenants/${other.id}`])
        expect((await world.call(actor, `GET ${path}`)).status).toBe(200);
    }
  });

  test('is refused with a tenant they are no member of', async () => {
    expect((await world.call({ ...world.global, tenant: tenant.id }, 'GET /api/users')).code).toBe('TENANT_NOT_ALLOWED');
  });
});
