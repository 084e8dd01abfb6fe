import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tenant, TokenOptions } from '../support/people.ts';
import { rpt } from '../support/rpt.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await startWorld();
  tenant = await world.tenant();
});
afterAll(() => world.stop());

describe('GET /api/cooperatives', () => {
  test('answers the calling user and one short string', async () => {
    const admin = await world.person({ [tenant.id]: 'tenant-admin' });
    const { status, body } = await world.call(admin, 'GET /api/cooperatives');
    expect(status).toBe(200);
    expect(body).toEqual({ caller: admin.id, data: [expect.any(String)] });
  });

  test('a Global user passes', async () => {
    const person = await world.person({}, { type: 'Global' });
    expect(await world.call(person, 'GET /api/cooperatives')).toMatchObject({ status: 200, body: { caller: person.id } });
  });

  describe.each(['coordinator', 'technician', 'viewer'] as const)('a %s', (persona) => {
    const call = async (token: TokenOptions = {}) =>
      world.call(await world.person({ [tenant.id]: persona }, token), 'GET /api/cooperatives');

    test('passes with the exception role', async () => {
      expect((await call({ roles: ['cooperatives:read'] })).status).toBe(200);
    });

    test('403 NOT_ALLOWED without it: no other role, RPT permission or super_admin opens the module', async () => {
      expect((await call()).code).toBe('NOT_ALLOWED');
      expect((await call({ roles: ['super_admin', 'cooperatives:update', 'organizations:read'] })).code).toBe('NOT_ALLOWED');
      expect((await call({ claims: rpt('resource:cooperatives', ['read']) })).code).toBe('NOT_ALLOWED');
    });
  });
});

describe('GET /service/cooperatives', () => {
  test("answers the tenant of the token's azp and one short string", async () => {
    const { status, body } = await world.call(tenant.service, 'GET /service/cooperatives');
    expect(status).toBe(200);
    expect(body).toEqual({ caller: tenant.id, data: [expect.any(String)] });
  });
});
