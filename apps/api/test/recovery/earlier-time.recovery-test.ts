import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createEmptyDatabase } from '../../../../test/database.ts';
import { startRedis, type TestRedis } from '../../../../test/redis.ts';
import { createApi } from '../support/api.ts';
import { startWorld, type World } from '../support/world.ts';
import { command, temporaryFolder } from './commands.ts';
import { cachedPersonas, changeAfter, changeBefore, expectUndone } from './undone-changes.ts';

let world: World;
let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis(inject('redisServer') ?? '/usr/bin/redis-server');
  world = await startWorld({ REDIS_URL: redis.url, USER_CACHE_TTL_SECONDS: '86400' });
});
afterAll(async () => {
  await world.stop();
  await redis.remove();
});

test('after the restore of a backup, no right, idempotency key, ETag or event from after the backup is in force', async () => {
  const folder = join(await temporaryFolder(), 'backup');
  const before = await changeBefore(world);
  expect(await command('backup', world.environment, folder)).toMatchObject({ code: 0, stderr: '' });
  const undone = await changeAfter(world, before, redis.url);
  await world.service.stop();

  // Another database on the same server: neither its system identifier nor its timeline shows the restore.
  const place = { DATABASE_URL: await createEmptyDatabase(), STORAGE_DIR: await temporaryFolder() };
  expect(await command('restore', { ...world.environment, ...place }, folder)).toMatchObject({ code: 0, stderr: '' });
  expect(await cachedPersonas(redis.url, before.person)).toContain('tenant-admin');
  const restored = await world.another(place);
  await expectUndone(world, place.DATABASE_URL, createApi(restored.url), before, undone);
  await restored.stop();
});
