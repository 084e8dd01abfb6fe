import { connect, migrate } from '@profile-service/db';
import { cleanStorage } from '@profile-service/operations';
import { createStorage } from '@profile-service/storage';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startRedis, type TestRedis } from '../../../../test/redis.ts';
import { readSettings } from '../../src/settings.ts';
import { createApi } from '../support/api.ts';
import { startWorld, type World } from '../support/world.ts';
import { type ArchivedPostgres, startArchivedPostgres } from './archived-postgres.ts';
import { command } from './commands.ts';
import { differences, readDatabase } from './rows.ts';
import { cachedPersonas, changeAfter, changeBefore, expectUndone } from './undone-changes.ts';

let postgres: ArchivedPostgres;
let redis: TestRedis;
let world: World;
beforeAll(async () => {
  postgres = await startArchivedPostgres();
  await migrate(postgres.url);
  await postgres.baseBackup();
  redis = await startRedis(inject('redisServer') ?? '/usr/bin/redis-server');
  world = await startWorld({ REDIS_URL: redis.url, USER_CACHE_TTL_SECONDS: '86400' }, async () => postgres.url);
});
afterAll(async () => {
  await world.stop();
  await redis.remove();
  await postgres.remove();
});

test('after a recovery to a point in time, all rows are those of that time, and nothing from after it is in force', async () => {
  const before = await changeBefore(world);
  const isJob = ([name]: [string, unknown]) => name.startsWith('pgboss.');
  const rowsOf = async (url: string) => Object.fromEntries(Object.entries(await readDatabase(url)).filter((table) => !isJob(table)));
  const expected = await rowsOf(postgres.url);
  const point = await postgres.now();
  const undone = await changeAfter(world, before, redis.url);
  await world.service.stop();
  await postgres.archive();

  const recovered = { DATABASE_URL: await postgres.recover(point) };
  expect(differences(expected, await rowsOf(recovered.DATABASE_URL))).toEqual({});
  // The promotion has started a new timeline, so the first write starts a new epoch of events by itself.
  const client = new pg.Client({ connectionString: recovered.DATABASE_URL });
  await client.connect();
  await client.query('begin');
  const { rows } = await client.query<{ isNew: boolean }>(
    'select (select max(epoch) from event_epochs) < current_event_epoch() as "isNew", pg_is_in_recovery() as "isStandby"',
  );
  expect(rows).toEqual([{ isNew: true, isStandby: false }]);
  await client.end();

  const ended = await command('restore', { ...world.environment, ...recovered }, '--database-restored');
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(await cachedPersonas(redis.url, before.person)).toContain('tenant-admin');
  const service = await world.another(recovered);
  await expectUndone(world, recovered.DATABASE_URL, createApi(service.url), before, undone);

  // The storage has the files of now: it lacks what was deleted after the point, and has what was uploaded after it.
  const database = connect({ connectionString: recovered.DATABASE_URL, max: 2 });
  const storage = await createStorage({ settings: readSettings(world.environment) });
  const later = new Date(Date.now() + 2 * 60 * 60_000);
  expect(await cleanStorage({ db: database.db, storage, basePath: 'attachments', now: later, secondLookMs: 0 })).toEqual({
    removed: 1,
    aborted: 0,
    missing: { count: 1, ids: [before.attachment.id] },
  });
  expect(await world.storedFiles.keys()).not.toContain(undone.attachment.filePath);
  await database.close();
  await service.stop();
});
