import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { startEmbeddedServices } from '../../local/embedded.ts';
import { serve } from '../../local/serve.ts';
import { createApi } from '../support/api.ts';
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
test('npm start with IDENTITY_REALM_URL creates the first Global user and no demo data', async () => {
  const embedded = await startEmbeddedServices({ ...world.environment, DATABASE_URL: await createTestDatabase() }, dataDir, 0);
  onTestFinished(() => embedded.stop());
  let url = '';
  await serve(embedded, (service) => {
    url = service.url;
    onTestFinished(() => service.stop());
  });
  const { client } = createApi(url);
  const [users, tenants] = await Promise.all([client(world.global).users.list.query({}), client(world.global).tenants.list.query({})]);
  expect(users.data.map(({ email }) => email)).toEqual([world.environment['BOOTSTRAP_GLOBAL_EMAIL']]);
  expect(tenants.total).toBe(0);
  expect(await readdir(dataDir)).toEqual([]);
});
