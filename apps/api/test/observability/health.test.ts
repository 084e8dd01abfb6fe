import { rename } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import { startProxy } from '../../../../test/proxy.ts';
import { startVersionProxy } from '../../../../test/version-proxy.ts';
import { readiness, reasonsOf } from '../support/readiness.ts';
import { recordLog } from '../support/recorded-log.ts';
import { type Instance, useWorld } from '../support/world.ts';

/** Leaves a busy machine time between the checks. */
const often = { healthIntervalMs: 250 };

const world = useWorld();
const { log, about } = recordLog();
const database = duringTests(
  () => startProxy(world.databaseUrl),
  (proxy) => proxy.stop(),
);
const service = duringTests(() => world.another({ DATABASE_URL: database.url, MANAGEMENT_PORT: '0' }, { ...often, log }));
const repair = () => {
  database.forward();
  Object.assign(world.identity.faults, { all: 'none', keys: 'none' });
};
afterEach(repair);

/** Waits for this report on the public port, which shows no reasons. */
async function expectReport(code: number, status: string, down: string[] = [], { url }: Pick<Instance, 'url'> = service): Promise<void> {
  const checks = Object.fromEntries(
    ['database', 'identity', 'storage', 'cache'].map((part) => [part, down.includes(part) ? 'down' : 'ok']),
  );
  await expect.poll(() => readiness(url), { timeout: 15_000 }).toEqual([code, { status, checks }]);
}
const live = async ({ url }: Instance = service) => (await fetch(`${url}/health/live`)).status;
const customers = ({ call }: Instance = service) => call(world.global, 'GET /api/customers');

// Rules: HEALTH-1, HEALTH-2, HEALTH-3, HEALTH-5, HEALTH-6
test('an unreachable database makes the instance not ready until it is back, and the log says so once for each change', async () => {
  const unreachable = 'PostgreSQL cannot be reached: check that it runs, and the host and port in DATABASE_URL.';
  const outage = [['database is down', unreachable], ['database is up again']];
  await expectReport(200, 'ok');
  for (const earlier of [[], outage]) {
    database.cut();
    await expectReport(503, 'down', ['database']);
    expect(await live()).toBe(200);
    expect(await reasonsOf(service)).toEqual({ database: unreachable });
    const { code, headers } = await customers();
    expect([code, headers.get('retry-after')]).toEqual(['SERVICE_UNAVAILABLE', '1']);
    expect(about()).toEqual([...earlier, outage[0]]);
    database.forward();
    await expectReport(200, 'ok');
    expect(await reasonsOf(service)).toEqual({});
    expect(about()).toEqual([...earlier, ...outage]);
    expect((await customers()).status).toBe(200);
  }
});

// Rules: HEALTH-2
test.each<[what: string, fail: () => unknown, part: string, code: string, retryAfter: string]>([
  ['the database', () => database.cut(), 'database', 'SERVICE_UNAVAILABLE', '1'],
  ['the keys', () => (world.identity.faults.keys = 'refuse'), 'identity', 'IDENTITY_PROVIDER_UNAVAILABLE', '5'],
])('an instance that starts without %s is not ready until they are there', async (_what, fail, part, expected, retryAfter) => {
  fail();
  const late = await world.another({ DATABASE_URL: database.url }, often);
  expect(await live(late)).toBe(200);
  await expectReport(503, 'down', [part], late);
  const { code, headers } = await customers(late);
  expect([code, headers.get('retry-after')]).toEqual([expected, retryAfter]);
  repair();
  await expectReport(200, 'ok', [], late);
  expect((await customers(late)).status).toBe(200);
});

// Rules: HEALTH-2, HEALTH-6
test('a database schema that lacks a migration makes the instance not ready, and further migrations of a newer version do not', async () => {
  const [{ name } = { name: '' }] = await world.sql<{ name: string }>('select name from kysely_migration order by name desc limit 1');
  await world.sql("update kysely_migration set name = 'hidden' where name = $1", [name]);
  await expectReport(503, 'down', ['database']);
  expect(await reasonsOf(service)).toEqual({ database: `The database lacks migrations: ${name}. Run the migration.` });
  await world.sql("update kysely_migration set name = $1 where name = 'hidden'", [name]);
  await world.sql("insert into kysely_migration select '9999-newer', timestamp from kysely_migration limit 1");
  await expectReport(200, 'ok');
  await world.sql("delete from kysely_migration where name = '9999-newer'");
});

// Rules: HEALTH-2, HEALTH-6
test('a PostgreSQL 14 makes the instance not ready', async () => {
  const proxy = await startVersionProxy(world.databaseUrl, 140_019);
  const old = await world.another({ DATABASE_URL: proxy.url, MANAGEMENT_PORT: '0' }, often);
  await expectReport(503, 'down', ['database'], old);
  const reason = 'PostgreSQL 14 is too old: version 15 or later is required. Upgrade PostgreSQL, or correct DATABASE_URL.';
  expect(await reasonsOf(old)).toEqual({ database: reason });
  await proxy.stop();
});

// Rules: HEALTH-2, HEALTH-4
test.each(['refuse', '500'] as const)(
  'an identity provider that fails (%s) makes the service degraded, which continues with the keys it has',
  async (fault) => {
    /** What the metrics show of the checks, and whether the instance is ready. */
    const shown = async () => {
      const text = await (await fetch(`${service.managementUrl}/metrics`)).text();
      return [...text.matchAll(/^profile_(ready|health_check_up\{check="\w+"\}) (\d)$/gm)].map(([line]) => line).toSorted();
    };
    const checks = ['auditPartitions', 'cache', 'database', 'identity', 'storage'];
    const expected = (identity: number) => [
      ...checks.map((check) => `profile_health_check_up{check="${check}"} ${check === 'identity' ? identity : 1}`),
      'profile_ready 1',
    ];
    world.identity.faults.all = fault;
    await expectReport(200, 'degraded', ['identity']);
    expect(await shown()).toEqual(expected(0));
    expect((await customers()).status).toBe(200);
    world.identity.faults.all = 'none';
    await expectReport(200, 'ok');
    expect(await shown()).toEqual(expected(1));
  },
);

// Rules: HEALTH-4, HEALTH-5
test('the report names all parts that are down, and parts that hang do not delay it', async () => {
  const elsewhere = `${world.filesDir}-elsewhere`;
  await rename(world.filesDir, elsewhere);
  await expectReport(200, 'degraded', ['storage']);
  database.freeze();
  world.identity.faults.all = 'hang';
  await expectReport(503, 'down', ['database', 'identity', 'storage']);
  expect(await live()).toBe(200);
  repair();
  await rename(elsewhere, world.filesDir);
  await expectReport(200, 'ok');
});

// Rules: HEALTH-7
test('a missing partition of the audit log for the next month makes the service degraded, also during an outage of the database', async () => {
  const later = "select relid::text as name from pg_partition_tree('journal') where level = 1 order by 1 offset 1";
  for (const { name } of await world.sql<{ name: string }>(later)) {
    await world.sql(`alter table journal detach partition ${name}`);
    await world.sql(`drop table ${name}`);
  }
  const auditPartitions =
    'The audit log has no partition for the next month: without it, no write succeeds then. Run the migration, or see why the job audit-partitions fails.';
  await expectReport(200, 'degraded');
  expect(await reasonsOf(service)).toEqual({ auditPartitions });
  database.cut();
  await expect.poll(() => reasonsOf(service)).toMatchObject({ database: expect.any(String), auditPartitions });
  database.forward();
  await world.sql('select create_audit_partitions(1)');
  await expectReport(200, 'ok');
  expect(about('auditPartitions')).toEqual([
    ['the audit log lacks its next partition', auditPartitions],
    ['the audit log has its next partition again'],
  ]);
});
