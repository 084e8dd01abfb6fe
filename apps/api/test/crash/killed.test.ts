import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../../test/free-port.ts';
import { checkRecords } from '../../faults/checks/records.ts';
import { checkReplays } from '../../faults/checks/replays.ts';
import { type Instances, startInstances } from '../../faults/environment/instances.ts';
import { createLoad, type Load } from '../../faults/load/load.ts';
import type { Acknowledged } from '../../faults/load/writer.ts';
import { startWorldWithMap } from '../support/organizations.ts';
import { startProcess } from '../support/process.ts';
import type { World } from '../support/world.ts';

/** How long the instances are killed, in seconds. `.ci/run` takes 60, `npm run nightly` 600. */
const seconds = Number(process.env['CRASH_SECONDS'] ?? 10);
const writers = { records: 12, files: 4, users: 4 } as const;

/** Ends claims after 3 seconds instead of 20. The test would otherwise wait for the claims of killed instances. */
const expireAbandonedClaims = `
  update idempotency_keys set claimed_until = now() where claimed_until between now() and now() + interval '17 seconds'`;

let world: World;
let instances: Instances;
let loads: Load[];
let acknowledged: Acknowledged[];
let kills = 0;

/** The types of the events of the acknowledged writes. */
const eventTypes = () => new Set(loads.flatMap((load) => load.acknowledged.map(({ event }) => event)));

/** Kills an instance at random moments and starts it again: for `seconds`, and on a busy machine until the writers have done most kinds of work. */
async function killAgainAndAgain(index: number): Promise<void> {
  for (const until = Date.now() + seconds * 1_000; Date.now() < until || eventTypes().size < 8; kills += 1) {
    await pause(500 + Math.random() * 3_000);
    await instances.end(index, 'SIGKILL');
    await instances.start(index);
  }
}

beforeAll(
  async () => {
    world = await startWorldWithMap();
    const { id, service } = await world.tenant();
    const member = await world.person();
    // Each writer has its own users: the service keeps the responses to a caller's newest 10,000 keys.
    const newPeople = async () => {
      const { token: global } = await world.person({}, { type: 'Global' });
      const { token: admin } = await world.person({ [id]: 'tenant-admin' });
      return { ...world, global, tenant: { id, admin, application: service.token, member } };
    };
    const kinds = Object.entries(writers).flatMap(([kind, count]) => Array.from({ length: count }, () => kind));
    const people = await Promise.all(kinds.map(newPeople));
    await world.service.stop();
    const ports = [await freePort(), await freePort()];
    instances = await startInstances((environment) => startProcess({ ...world.environment, ...environment }), ports);
    loads = kinds.map((kind, index) => createLoad({ instances, people: people[index]! }, { [kind]: 1 }));
    const aging = setInterval(() => void world.sql(expireAbandonedClaims), 1_000);
    for (const load of loads) load.start();
    try {
      await Promise.all(ports.map((_, index) => killAgainAndAgain(index)));
      await Promise.all(loads.map((load) => load.stop()));
    } finally {
      clearInterval(aging);
    }
    acknowledged = loads.flatMap((load) => load.acknowledged);
  },
  120_000 + seconds * 2_000,
);
afterAll(async () => {
  await instances?.stop();
  await world.stop();
});

test('every write is acknowledged although the instances are killed, and every read sees what was acknowledged', () => {
  expect(kills).toBeGreaterThan(0);
  expect(loads.flatMap(({ attempts }) => [...attempts.outcomes.keys()])).toContain('connection refused');
  expect([...loads.flatMap(({ violations }) => violations), ...instances.unexpectedExits]).toEqual([]);
});

test('each acknowledged write has exactly one event and one audit entry, and each record was created once', async () => {
  expect(await checkRecords({ database: world }, acknowledged)).toEqual([]);
});

// Rules: IDEMPOTENCY-9
test('every repeated key gives the first response', { timeout: 120_000 + seconds * 2_000 }, async () => {
  expect(acknowledged.some(({ request }) => request.key !== undefined)).toBe(true);
  expect(await checkReplays({ instances }, acknowledged, Infinity)).toEqual([]);
});
