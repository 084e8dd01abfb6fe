import { endpoints } from '@profile-service/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Service } from '../../src/service.ts';
import { rest } from '../endpoints/transports.ts';
import { type Place, startPlace } from '../endpoints/place.ts';
import { validCall } from '../endpoints/scenarios.ts';

let place: Place;
let service: Service;
beforeAll(async () => {
  place = await startPlace();
  service = await place.world.another({ MANAGEMENT_PORT: '0' });
});
afterAll(() => place.world.stop());

/** Look-ups and creations at the identity provider up to now; the mails are sent by a job. */
async function calls(): Promise<number> {
  const metrics = await (await fetch(`${service.managementUrl}/metrics`)).text();
  const counts = metrics.matchAll(
    /^profile_dependency_request_duration_seconds_count\{dependency="identity",operation="(?:find|create)".*\} (\d+)$/gm,
  );
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

test.each(endpoints)('$name says of itself whether it reaches the identity provider', async ({ name, endpoint }) => {
  const before = await calls();
  const { status } = await rest({ ...(await validCall(place, name)), url: service.url }, name, endpoint);
  expect(status).toBe(endpoint.success);
  expect((await calls()) > before).toBe(endpoint.reachesIdentityProvider);
});
