import { rename } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Service } from '../../src/service/service.ts';
import { startVersionProxy } from '../../../../test/version-proxy.ts';
import { createApi } from '../support/api.ts';
import { type Proxy, startProxy } from '../../../../test/proxy.ts';
import { startStubS3 } from '../../../../test/storage/stub-s3.ts';
import { useWorld } from '../support/world.ts';

/** Leaves a busy machine time between the checks. */
const often = { healthIntervalMs: 250 };

const world = useWorld();
let database: Proxy;
let service: Service;
beforeAll(async () => {
  database = await startProxy(world.databaseUrl);
  service = await world.another({ DATABASE_URL: database.url, MANAGEMENT_PORT: '0' }, often);
});
afterEach(() => {
  database.forward();
  world.identity.faults.all = 'none';
});
afterAll(async () => {
  await database.stop();
});

const ready = async ({ url }: { url: string } = service) => {
  const response = await fetch(`${url}/health/ready`);
  return [response.status, await response.json()];
};
const report = (status: string, away: string[] = []) => ({
  status,
  checks: Object.fromEntries(['database', 'identity', 'storage', 'cache'].map((part) => [part, away.includes(part) ? 'down' : 'ok'])),
});
/** Waits for this report. */
const expectReport = (status: number, body: object, of?: Pick<Service, 'url'>) =>
  expect.poll(() => ready(of), { timeout: 15_000 }).toEqual([status, body]);
const live = async ({ url }: { url: string } = service) => (await fetch(`${url}/health/live`)).status;

// Rules: HEALTH-1, HEALTH-2, HEALTH-3
test('reports ok if all parts are reachable', async () => {
  await expectReport(200, report('ok'));
  expect(await live()).toBe(200);
});

describe('a database', () => {
  // Rules: HEALTH-2, HEALTH-5
  test('that is not reachable makes the instance not ready, until it is back', async () => {
    database.cut();
    await expectReport(503, report('down', ['database']));
    expect(await live()).toBe(200);
    const whileAway = await createApi(service.url).call(world.global, 'GET /api/customers');
    expect([whileAway.code, whileAway.headers.get('retry-after')]).toEqual(['SERVICE_UNAVAILABLE', '1']);

    database.forward();
    await expectReport(200, report('ok'));
    expect((await createApi(service.url).call(world.global, 'GET /api/customers')).status).toBe(200);
  });

  test('that is not reachable at start makes the instance not ready, until it is there', async () => {
    database.cut();
    const late = await world.another({ DATABASE_URL: database.url }, often);
    expect(await live(late)).toBe(200);
    await expectReport(503, report('down', ['database']), late);
    database.forward();
    await expectReport(200, report('ok'), late);
    expect((await createApi(late.url).call(world.global, 'GET /api/customers')).status).toBe(200);
  });
});

describe('a database schema', () => {
  const lastMigration = () => world.sql<{ name: string }>('select name from kysely_migration order by name desc limit 1');
  const reasons = async ({ managementUrl } = service) => {
    const response = await fetch(`${managementUrl}/health/ready`);
    return [response.status, ((await response.json()) as { reasons: { database?: string } }).reasons.database];
  };

  // Rules: HEALTH-2, HEALTH-6
  test('that lacks a migration makes the instance not ready, until it is applied', async () => {
    const [{ name } = { name: '' }] = await lastMigration();
    await world.sql("update kysely_migration set name = 'hidden' where name = $1", [name]);
    await expect.poll(() => reasons()).toEqual([503, `The database lacks migrations: ${name}. Run the migration.`]);
    await world.sql("update kysely_migration set name = $1 where name = 'hidden'", [name]);
    await expectReport(200, report('ok'));
  });

  test('with further migrations does not, because a newer version may run beside this one', async () => {
    await world.sql("insert into kysely_migration select '9999-newer', timestamp from kysely_migration limit 1");
    const other = await world.another({}, often);
    await expectReport(200, report('ok'), other);
    await world.sql("delete from kysely_migration where name = '9999-newer'");
  });
});

// Rules: HEALTH-2, HEALTH-6
test('a PostgreSQL 14 makes the instance not ready', async () => {
  const proxy = await startVersionProxy(world.databaseUrl, 140_019);
  const { managementUrl } = await world.another({ DATABASE_URL: proxy.url, MANAGEMENT_PORT: '0' }, often);
  const reasons = { database: 'PostgreSQL 14 is too old: version 15 or later is required. Upgrade PostgreSQL, or correct DATABASE_URL.' };
  await expectReport(503, { ...report('down', ['database']), reasons }, { url: managementUrl ?? '' });
  await proxy.stop();
});

describe('an identity provider', () => {
  // Rules: HEALTH-4
  test.each(['refuse', '500'] as const)(
    'that fails (%s) makes the service degraded, which continues with the keys it has',
    async (fault) => {
      world.identity.faults.all = fault;
      await expectReport(200, report('degraded', ['identity']));
      expect((await createApi(service.url).call(world.global, 'GET /api/customers')).status).toBe(200);
      world.identity.faults.all = 'none';
      await expectReport(200, report('ok'));
    },
  );

  // Rules: HEALTH-2
  test('whose keys were never fetched makes the instance not ready, until they are', async () => {
    world.identity.faults.keys = 'refuse';
    const late = await world.another({}, often);
    expect(await live(late)).toBe(200);
    await expectReport(503, report('down', ['identity']), late);
    const whileAway = await createApi(late.url).call(world.global, 'GET /api/customers');
    expect([whileAway.code, whileAway.headers.get('retry-after')]).toEqual(['IDENTITY_PROVIDER_UNAVAILABLE', '5']);

    world.identity.faults.keys = 'none';
    await expectReport(200, report('ok'), late);
    expect((await createApi(late.url).call(world.global, 'GET /api/customers')).status).toBe(200);
  });
});

// Rules: HEALTH-4
test('a storage that is not reachable makes the service degraded', async () => {
  const s3 = await startStubS3();
  const onS3 = await world.another(s3.settings, often);
  await expectReport(200, report('ok'), onS3);
  s3.cut();
  await expectReport(200, report('degraded', ['storage']), onS3);
  await s3.stop();
});

// Rules: HEALTH-5
test('the report names all parts that are down, and parts that hang do not delay it', async () => {
  const elsewhere = `${world.filesDir}-elsewhere`;
  database.freeze();
  world.identity.faults.all = 'hang';
  await rename(world.filesDir, elsewhere);
  await expectReport(503, report('down', ['database', 'identity', 'storage']));
  expect(await live()).toBe(200);
  database.forward();
  world.identity.faults.all = 'none';
  await rename(elsewhere, world.filesDir);
  await expectReport(200, report('ok'));
});
