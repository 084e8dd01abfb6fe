import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Api, createApi } from '../support/api.ts';
import type { Person } from '../support/people.ts';
import { useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';
import { arrival, cacheOutdatedName, namesAt, rename } from './cached-names.ts';

const world = useWorld();
const tenant = useTenant(world);
let admin: pg.Client;
let other: Api;
beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject('postgres').adminUrl });
  await admin.connect();
  other = createApi((await world.another()).url);
});
afterAll(() => admin.end());

const database = () => new URL(world.databaseUrl).pathname.slice(1);
/** Whether the database accepts new connections. Existing ones stay. */
const allowConnections = (allowed: boolean) =>
  admin.query(`alter database ${pg.escapeIdentifier(database())} allow_connections ${String(allowed)}`);
/** Closes the connections on which the instances receive notifications. */
const closeChannels = () =>
  admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = $2', [
    database(),
    'profile-service-changes',
  ]);
const names = (person: Person) => namesAt(person, world, other);

// Rules: CACHE-4
test('an instance without its notification channel uses no cached caller until the channel is back', async () => {
  const person = await world.person({ [tenant.id]: 'viewer' });
  await cacheOutdatedName(world, person, world, other);

  await allowConnections(false);
  try {
    await closeChannels();
    await expect.poll(() => names(person), arrival).toEqual(['Current', 'Current']);
    for (const name of ['First', 'Second']) {
      await rename(world, person, name);
      expect(await names(person)).toEqual([name, name]);
    }
  } finally {
    await allowConnections(true);
  }
  await cacheOutdatedName(world, person, world, other);
});

test('an instance applies changes that were made while it had no notification channel, as soon as the channel is back', async () => {
  const person = await world.person({ [tenant.id]: 'viewer' });
  await cacheOutdatedName(world, person, world, other);
  await closeChannels();
  await rename(world, person, 'Changed');
  await expect.poll(() => names(person), arrival).toEqual(['Changed', 'Changed']);
});
