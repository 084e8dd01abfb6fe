import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import { pgBouncerConfig, startPgBouncer } from '../../../../test/pgbouncer.ts';
import { cacheOutdatedName, namesAt } from '../caller-cache/cached-names.ts';
import { untilAvailable } from '../support/call.ts';
import { lockTable } from '../support/race.ts';
import { metricOf } from '../support/metrics.ts';
import { createPeople } from '../support/people.ts';
import { readiness } from '../support/readiness.ts';
import { recordLog } from '../support/recorded-log.ts';
import { useWorld } from '../support/world.ts';

const program = inject('pgbouncer');

test('docs/run/scaling.md shows the configuration of these tests', () => {
  const page = readFileSync(new URL('../../../../docs/run/scaling.md', import.meta.url), 'utf8');
  const config = pgBouncerConfig('postgres://postgres.internal:5432/profile', {
    auth_file: '/etc/pgbouncer/userlist.txt',
    listen_addr: '*',
    listen_port: '6432',
    default_pool_size: '20',
    max_client_conn: '1000',
  });
  expect(page).toContain(config);
});

// Without PgBouncer, the tests are not defined: CI counts a skipped test as failed.
describe.each(program ? [program] : [])('through PgBouncer in transaction mode', (pgbouncer) => {
  // The instances stop before it.
  afterAll(() => pooler.stop());
  const world = useWorld();
  const pooler = duringTests(() => startPgBouncer(pgbouncer, world.databaseUrl));
  const settings = () => ({
    DATABASE_URL: pooler.url,
    DATABASE_DIRECT_URL: world.databaseUrl,
    DATABASE_PREPARED_STATEMENTS: 'false',
    DATABASE_POOL_MAX: '20',
    MANAGEMENT_PORT: '0',
  });
  const startInstance = () => world.another(settings(), { tenantLimits: { waitMs: 60_000 } });
  const [one, two] = [duringTests(startInstance), duringTests(startInstance)];
  /** Creates people and tenants through PgBouncer. */
  const people = duringTests(() => createPeople(one.call, world.sign, world.globalSubject));
  // Otherwise it would run jobs.
  beforeAll(() => world.service.stop());
  const ofBoth = (index: number) => (index % 2 === 0 ? one : two);
  const backends = async (application: string) =>
    (await world.sql('select from pg_stat_activity where application_name = $1 and datname = current_database()', [application])).length;

  test('many concurrent reads and transactions of two instances share two connections to PostgreSQL', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `Customer ${index}`);
    const call = (index: number, target: string, body?: object) =>
      untilAvailable(() => ofBoth(index).call<{ id: string }>(world.global, target, body));
    const created = await Promise.all(
      names.map((name, index) => call(index, 'POST /api/customers', { name, federalTaxId: people.newTaxId() })),
    );
    expect(created).toMatchObject(names.map((name) => ({ status: 201, body: { name } })));
    const [found] = await world.sql<{ total: number }>('select count(*)::int as total from customers');
    const records = await Promise.all(created.map(({ body: { id } }, index) => call(index + 1, `GET /api/customers/${id}`)));
    expect(records).toMatchObject(names.map((name) => ({ body: { name } })));
    const pages = await Promise.all(names.map((_, index) => call(index, `GET /api/customers?limit=1&page=${index + 1}`)));
    expect(pages).toMatchObject(names.map((_, index) => ({ body: { total: found?.total, currentPage: index + 1 } })));
    expect(await backends('profile-service')).toBe(2);
  });

  test('callers are cached, a change at one instance invalidates them at the other, and jobs run', async () => {
    const tenant = await people.tenant();
    const created = await people.person({ [tenant.id]: 'viewer' });
    await expect.poll(() => world.identity.mails.filter(({ to }) => to === created.email)).toHaveLength(1);
    const person = await cacheOutdatedName(world, created, one, two);
    expect((await one.call(world.global, `PUT /api/users/${person.id}`, { name: 'Changed' })).status).toBe(200);
    await expect.poll(() => namesAt(person, one, two)).toEqual(['Changed', 'Changed']);
  });

  test('a read whose client disconnects is cancelled, but not the statements of other requests', async () => {
    const cancelled = async () => {
      const labels = /operation="customers.list",status="499"/;
      const counts = await Promise.all([one, two].map((instance) => metricOf(instance, 'profile_request_duration_seconds_count', labels)));
      return counts.reduce((sum, count) => sum + count);
    };
    for (let round = 0; round < 5; round += 1) {
      const before = await cancelled();
      const { waiting, end } = await lockTable(world, 'customers');
      const reads = Array.from({ length: 16 }, (_, index) => read(ofBoth(index).url));
      // Two statements run on the two connections to PostgreSQL. The others wait in PgBouncer.
      await expect.poll(waiting).toBe(2);
      const [aborted, remaining] = [reads.slice(0, 8), reads.slice(8)];
      for (const { abort } of aborted) abort();
      // Their connections to PostgreSQL go to the next statements.
      await expect.poll(cancelled).toBeGreaterThanOrEqual(before + 2);
      await end();
      const later = Array.from({ length: 32 }, (_, index) => read(ofBoth(index).url));
      const statuses = await Promise.all([...remaining, ...later].map(({ status }) => status));
      expect(statuses).toEqual(statuses.map(() => 200));
    }
  });

  /** Sends a read as the Global user on a connection of its own. The status is 0 if the connection was closed first. */
  function read(url: string) {
    const headers = { authorization: `Bearer ${world.global.token}` };
    const sent = request(`${url}/api/customers?limit=100`, { headers, agent: false });
    const { promise: status, resolve } = Promise.withResolvers<number>();
    sent.on('response', (response) => response.resume().on('close', () => resolve(response.statusCode ?? 0)));
    sent.on('error', () => resolve(0)).end();
    return { status, abort: () => void sent.destroy() };
  }

  describe('an installation that PgBouncer does not support', () => {
    const { 1: major = 0, 2: minor = 0 } = /(\d+)\.(\d+)/.exec(execFileSync(pgbouncer, ['--version'], { encoding: 'utf8' })) ?? [];
    /** Since 1.21, PgBouncer can carry prepared statements. */
    const withoutPrepared: Record<string, string> = Number(major) > 1 || Number(minor) >= 21 ? { max_prepared_statements: '0' } : {};
    const unexpected = 'DATABASE_URL leads to a connection pooler: set DATABASE_DIRECT_URL to the address of PostgreSQL.';

    test.each<[string, { set?: Record<string, string>; more?: Record<string, string>; edit?: (config: string) => string }, string]>([
      [
        'prepared statements',
        { set: { DATABASE_PREPARED_STATEMENTS: 'true' }, more: withoutPrepared },
        'The connection pooler in DATABASE_URL does not carry prepared statements: set DATABASE_PREPARED_STATEMENTS=false.',
      ],
      ['a missing DATABASE_DIRECT_URL', { set: { DATABASE_DIRECT_URL: '' } }, unexpected],
      [
        'missing session settings',
        { edit: (config) => config.replace("set jit = ''off''; ", '').replace("''10s''", "''0''") },
        'The connection pooler in DATABASE_URL does not set jit, statement_timeout: add them to its connect_query.',
      ],
    ])('is not ready and says what to do: %s', async (_fault, { set = {}, more = {}, edit }, reason) => {
      const other = await startPgBouncer(pgbouncer, world.databaseUrl, more, edit);
      const { managementUrl, stop } = await world.another({ ...settings(), DATABASE_URL: other.url, ...set });
      onTestFinished(async () => {
        await stop();
        await other.stop();
      });
      await expect.poll(() => readiness(managementUrl)).toMatchObject([503, { reasons: { database: reason } }]);
    });

    test('does not cache callers if DATABASE_DIRECT_URL leads to a pooler, and logs it once', async () => {
      const { log, lines } = recordLog();
      const direct = pooler.url.replace('127.0.0.1', 'localhost');
      const api = await world.another({ ...settings(), DATABASE_DIRECT_URL: direct }, { log });
      onTestFinished(api.stop);
      const told = () => lines().filter(({ msg }) => msg.startsWith('DATABASE_DIRECT_URL leads to a connection pooler'));
      await expect.poll(told).toHaveLength(1);
      const person = await people.person();
      for (const name of ['First', 'Second']) {
        await world.sql('update users set name = $1 where id = $2', [name, person.id]);
        expect(await namesAt(person, api)).toEqual([name]);
      }
      expect(told()).toHaveLength(1);
    });
  });
});
