import { endpoints } from '@profile-service/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Service } from '../../src/service.ts';
import { rest } from '../endpoints/send.ts';
import type { Fixture } from '../endpoints/fixture-types.ts';
import { startFixture } from '../endpoints/fixture.ts';
import { validCall } from '../endpoints/calls.ts';

let fixture: Fixture;
let service: Service;
beforeAll(async () => {
  fixture = await startFixture();
  service = await fixture.world.another({ MANAGEMENT_PORT: '0' });
});
afterAll(() => fixture.world.stop());

/** The number of look-ups and creations at the identity provider. A job sends the mails. */
async function calls(): Promise<number> {
  const metrics = await (await fetch(`${service.managementUrl}/metrics`)).text();
  const counts = metrics.matchAll(
    /^profile_dependency_request_duration_seconds_count\{dependency="identity",operation="(?:find|create)".*\} (\d+)$/gm,
  );
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

test.each(endpoints)('$name declares whether it calls the identity provider', async ({ name, endpoint }) => {
  const before = await calls();
  const { status } = await rest({ ...(await validCall(fixture, name, endpoint)), url: service.url }, name, endpoint);
  expect(status).toBe(endpoint.success);
  expect((await calls()) > before).toBe(endpoint.reachesIdentityProvider);
});
