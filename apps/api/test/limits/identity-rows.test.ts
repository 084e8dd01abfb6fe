import { rows } from '@profile-service/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Service } from '../../src/service.ts';
import { rest } from '../rows/faces.ts';
import { type Place, startPlace } from '../rows/place.ts';
import { validCall } from '../rows/scenarios.ts';

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
  const counts = metrics.matchAll(/^profile_outside_call_duration_seconds_count\{part="identity",operation="(?:find|create)".*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

test.each(rows)('$name says of itself whether it reaches the identity provider', async ({ name, row }) => {
  const before = await calls();
  const { status } = await rest({ ...(await validCall(place, name)), url: service.url }, name, row);
  expect(status).toBe(row.success);
  expect((await calls()) > before).toBe(row.reachesIdentityProvider);
});
