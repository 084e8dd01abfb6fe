import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tenant } from '../support/people.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await startWorld();
  tenant = await world.tenant();
});
afterAll(() => world.stop());

describe('GET /api/cooperatives', () => {
  // Rules: COOPERATIVES-1, COOPERATIVES-2
  test('returns the calling user and one short string', async () => {
    const admin = await world.person({ [tenant.id]: 'tenant-admin' });
    const { status, body } = await world.call(admin, 'GET /api/cooperatives');
    expect(status).toBe(200);
    expect(body).toEqual({ caller: admin.id, data: [expect.any(String)] });
  });
});

describe('GET /service/cooperatives', () => {
  // Rules: COOPERATIVES-1, COOPERATIVES-2
  test("returns the tenant of the token's azp and one short string", async () => {
    const { status, body } = await world.call(tenant.service, 'GET /service/cooperatives');
    expect(status).toBe(200);
    expect(body).toEqual({ caller: tenant.id, data: [expect.any(String)] });
  });
});
