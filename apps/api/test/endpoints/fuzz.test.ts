import { randomInt } from 'node:crypto';
import { endpoints } from '@profile-service/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { Fuzzer } from '../../fuzz/endpoints/fuzzer.ts';
import { closeConnections } from '../../fuzz/endpoints/http.ts';
import { startWorld, type World } from '../../fuzz/world/world.ts';

/** Requests per endpoint. `npm run proof -- fuzz` sends requests for as long as it is told to. */
const requests = 10;
const seed = randomInt(2 ** 31 - endpoints.length);

let world: World;
let fuzzer: Fuzzer;
beforeAll(async () => {
  world = await startWorld(await createTestDatabase());
  await world.replenish();
  fuzzer = new Fuzzer(world);
});
afterAll(async () => {
  closeConnections();
  await world.stop();
});

test.each(endpoints.map(({ name }, index) => ({ name, index })))(
  '$name responds to random requests as the OpenAPI document declares',
  async ({ name, index }) => {
    await fuzzer.fuzz(name, requests, seed + index);
    expect(fuzzer.failures.get(name)).toBeUndefined();
  },
);

test('more than a tenth of the random requests succeed', () => {
  const { successes, requests: total } = fuzzer.statistics;
  expect([...successes.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(total / 10);
});
