import { expect, onTestFinished, test } from 'vitest';
import { startWorld } from '../support/world.ts';

// Rules: COOPERATIVES-1, COOPERATIVES-2
test('GET /api/cooperatives returns the calling user, GET /service/cooperatives the tenant, and both return one short string', async () => {
  const world = await startWorld();
  onTestFinished(world.stop);
  const tenant = await world.tenant();
  const admin = await world.person({ [tenant.id]: 'tenant-admin' });
  const data = [expect.any(String)];
  const asUser = await world.call(admin, 'GET /api/cooperatives');
  expect(asUser).toMatchObject({ status: 200, body: { caller: admin.id, data } });
  const asService = await world.call(tenant.service, 'GET /service/cooperatives');
  expect(asService).toMatchObject({ status: 200, body: { caller: tenant.id, data } });
});
