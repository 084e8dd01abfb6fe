import { afterAll, beforeAll, expect, test } from 'vitest';
import { findHalfDone } from '../support/half-done.ts';
import { startWorldWithMap } from '../support/organizations.ts';
import type { World } from '../support/world.ts';
import { type Instances, startInstances } from './instances.ts';
import { type Acknowledged, remember, send, writeUntilAcknowledged } from './writer.ts';
import { type Owned, randomWrite, type Target } from './writes.ts';

/** How long the instances are killed, in seconds. `.ci/run` takes 60, `npm run nightly` 600. */
const seconds = Number(process.env['CRASH_SECONDS'] ?? 10);
const writers = 20;

/** Ends claims after 3 seconds instead of 20. The test would otherwise wait for the claims of killed instances. */
const expireAbandonedClaims = `
  update idempotency_keys set claimed_until = now() where claimed_until between now() and now() + interval '17 seconds'`;

let world: World;
let instances: Instances;
const acknowledged: Acknowledged[] = [];
beforeAll(
  async () => {
    world = await startWorldWithMap();
    const tenant = await world.tenant();
    // Each writer has its own users: the service keeps the responses to a caller's newest 10,000 keys.
    const newTarget = async (): Promise<Target> => ({
      world,
      tenant,
      admin: await world.person({ [tenant.id]: 'tenant-admin' }),
      globalToken: (await world.person({}, { type: 'Global' })).token,
    });
    const targets = await Promise.all(Array.from({ length: writers }, newTarget));
    await world.service.stop();
    instances = await startInstances(world, seconds);
    const aging = setInterval(() => void world.sql(expireAbandonedClaims), 1_000);
    await Promise.all(targets.map(writeAll)).finally(() => clearInterval(aging));
    await instances.calm();
  },
  120_000 + seconds * 2_000,
);
afterAll(async () => {
  await instances?.stop();
  await world.stop();
});

async function writeAll(target: Target): Promise<void> {
  const owned: Owned = { organizations: [], contacts: [], apps: [] };
  while (!instances.isCalm) {
    const response = await writeUntilAcknowledged(() => instances.url(), randomWrite(target, owned));
    acknowledged.push(response);
    remember(owned, response);
  }
}

const idOf = ({ write, body }: Acknowledged): string => write.recordId ?? (JSON.parse(body) as { id: string }).id;

test('every write is acknowledged although the instances are killed', () => {
  const codes = acknowledged.map(({ status, write }) => (write.method === 'DELETE' && status === 404 ? 204 : status));
  expect(instances.kills).toBeGreaterThan(0);
  expect(acknowledged.some(({ requests }) => requests > 1)).toBe(true);
  expect([...new Set(codes)].filter((code) => ![200, 201, 204].includes(code))).toEqual([]);
});

test('each acknowledged write has exactly one event', async () => {
  const events = await world.sql<{ type: string; record_id: string; name: string | null }>(
    "select type, record_id, data ->> 'name' as name from events",
  );
  const counts = Map.groupBy(events, ({ type, record_id: id, name }) =>
    type === 'organization.updated' ? `${type} ${id} ${name}` : `${type} ${id}`,
  );
  const wanted = acknowledged.map((response) => {
    const { event, body } = response.write;
    return event === 'organization.updated'
      ? `${event} ${idOf(response)} ${(body as { name: string }).name}`
      : `${event} ${idOf(response)}`;
  });
  expect(wanted.filter((write) => counts.get(write)?.length !== 1)).toEqual([]);
});

test('each event has exactly one audit entry, neither exists for a write that does not, and each record was created once', async () => {
  expect(await findHalfDone(world.sql)).toEqual([]);
});

// Rules: IDEMPOTENCY-9
test(
  'every repeated key gives the first response',
  async () => {
    const keyed = acknowledged.filter(({ write }) => write.key !== undefined);
    const different: unknown[] = [];
    for (const { write, status, body } of keyed) {
      const again = await send(instances.url(), write);
      if (again.status !== status || again.body !== body || !again.isReplay) different.push({ write, status, body, again });
    }
    expect(different).toEqual([]);
    expect(keyed.length).toBeGreaterThan(0);
  },
  120_000 + seconds * 2_000,
);
