import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProfileClient } from '@profile-service/client';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { freePort, localStart } from '../support/local-start.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let dataDir: string;
beforeAll(async () => {
  [world, dataDir] = await Promise.all([startWorld(), mkdtemp(join(tmpdir(), 'profile-local-'))]);
});
afterAll(async () => {
  await world.stop();
  await rm(dataDir, { recursive: true });
});

// Rules: SETTINGS-4
test('npm start with IDENTITY_REALM_URL creates the first Global user and no demo data', { timeout: 120_000 }, async () => {
  const [port, databaseUrl] = await Promise.all([freePort(), createTestDatabase()]);
  const settings = { ...world.environment, DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: String(port) };
  const { child, ended } = await localStart(settings, 'API reference');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const client = createProfileClient({ url: `http://localhost:${port}`, token: () => world.global.token ?? '' });
  const [users, tenants] = await Promise.all([client.users.list.query({}), client.tenants.list.query({})]);
  expect(users.data.map(({ email }) => email)).toEqual([world.environment['BOOTSTRAP_GLOBAL_EMAIL']]);
  expect(tenants.total).toBe(0);
  expect(await readdir(dataDir)).toEqual([]);
});
