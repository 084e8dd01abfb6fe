import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '../../../../test/listen.ts';
import { type HealthCheck, HealthMonitor, type Part, parts } from '../../src/observability/health.ts';
import { createLog } from '../../src/observability/log.ts';
import { startProxy } from '../../../../test/proxy.ts';
import { useWorld } from '../support/world.ts';

const password = 'a-secret-value';

interface Line {
  part?: string;
  reason?: string;
  msg: string;
}

const world = useWorld();
/** S3 endpoints that respond to every request with this status. They count the requests. */
const [missingBucket, rejectedKey] = [createServer(), createServer()];
const requests = new Map<Server, number>();
const ports = new Map<Server, number>();
beforeAll(async () => {
  for (const [server, status] of [
    [missingBucket, 404],
    [rejectedKey, 403],
  ] as const) {
    server.on('request', (_request, response) => {
      requests.set(server, (requests.get(server) ?? 0) + 1);
      response.writeHead(status).end();
    });
    ports.set(server, await listen(server));
  }
});
afterAll(async () => {
  for (const server of [missingBucket, rejectedKey]) server.close().closeAllConnections();
});

const onS3 = (server: Server) => ({
  STORAGE_DIR: '',
  STORAGE_ENDPOINT: `http://127.0.0.1:${ports.get(server)}`,
  STORAGE_BUCKET: 'files',
  STORAGE_ACCESS_KEY_ID: 'key',
  STORAGE_SECRET_ACCESS_KEY: password,
});

/** Starts a service with these settings. */
async function start(settings: Record<string, string>) {
  const log: string[] = [];
  const service = await world.another(
    { MANAGEMENT_PORT: '0', ...settings },
    { healthIntervalMs: 50, log: createLog('info', { write: (line) => log.push(line) }) },
  );
  const ready = async (url = service.managementUrl) => (await (await fetch(`${url}/health/ready`)).json()) as Record<string, unknown>;
  return {
    service,
    ready,
    reasons: async () => (await ready())['reasons'],
    /** Messages and reasons of the log lines about parts. */
    told: () =>
      log
        .map((line) => JSON.parse(line) as Line)
        .filter(({ part }) => part)
        .map(({ msg, reason }) => [msg, ...(reason ? [reason] : [])]),
    text: () => log.join(''),
  };
}

const databaseUrl = (changes: Partial<URL>) => Object.assign(new URL(world.databaseUrl), changes).href;
const otherHost = () => (world.environment['IDENTITY_REALM_URL'] ?? '').replace('localhost', '127.0.0.1');
const unreachable = 'PostgreSQL cannot be reached: check that it runs, and the host and port in DATABASE_URL.';

// Rules: HEALTH-6
test.each<[string, () => Record<string, string>, Server, Record<string, string>]>([
  [
    'a rejected database user, an unknown realm, a missing bucket and an unreachable Redis',
    () => ({
      ...onS3(missingBucket),
      DATABASE_URL: databaseUrl({ username: 'nobody', password }),
      IDENTITY_REALM_URL: `${world.environment['IDENTITY_REALM_URL']}-nowhere`,
      REDIS_URL: `redis://:${password}@127.0.0.1:1`,
    }),
    missingBucket,
    {
      database: 'PostgreSQL rejects the user or the password in DATABASE_URL: correct them.',
      identity: 'The identity provider does not know the realm: check IDENTITY_REALM_URL and IDENTITY_AUTH_URL.',
      storage: 'The bucket STORAGE_BUCKET does not exist: create it or correct the name.',
      cache: 'Redis does not respond: check that it runs, and the host and port in REDIS_URL.',
    },
  ],
  [
    'a missing database and a rejected storage key',
    () => ({ ...onS3(rejectedKey), DATABASE_URL: databaseUrl({ pathname: 'nowhere' }) }),
    rejectedKey,
    {
      database: 'The database named in DATABASE_URL does not exist: create it or correct the name.',
      storage:
        'The storage rejects the key: check STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY and the key’s rights on STORAGE_BUCKET.',
    },
  ],
])('the reasons are on the management port and once in the log: %s', async (_faults, settings, s3, expected) => {
  const { service, ready, reasons, told, text } = await start(settings());
  expect(await reasons()).toEqual(expected);
  // The public port shows only the state.
  expect(Object.keys(await ready(service.url))).toEqual(['status', 'checks']);
  const checks = requests.get(s3) ?? 0;
  await expect.poll(() => requests.get(s3)).toBeGreaterThan(checks + 5);
  const lines = Object.entries(expected).map(([part, reason]) => [`${part} is down`, reason]);
  expect(told().toSorted()).toEqual(lines.toSorted());
  expect(text()).not.toContain(password);
  await service.stop();
});

test.each<[string, () => Record<string, string>, string]>([
  [
    'a wrong client secret',
    () => ({ IDENTITY_CLIENT_SECRET: password }),
    'The identity provider rejects the service’s client: check IDENTITY_CLIENT_ID and IDENTITY_CLIENT_SECRET, and that its service account is enabled.',
  ],
  [
    'a client without roles',
    () => ({ IDENTITY_CLIENT_ID: 'harvest', IDENTITY_CLIENT_SECRET: 'test-harvest-secret' }),
    'The service account of the client harvest lacks manage-users of realm-management: assign view-users and manage-users, otherwise no user can be created.',
  ],
  [
    'an issuer with another host name',
    () => ({ IDENTITY_REALM_URL: otherHost(), IDENTITY_AUTH_URL: otherHost() }),
    'The configuration of http://127.0.0.1:PORT/realms/profile names the issuer http://localhost:PORT/realms/profile: set IDENTITY_REALM_URL and IDENTITY_AUTH_URL to the issuers, exactly as in `iss` of the tokens.',
  ],
  [
    'an address where nothing listens',
    () => ({ IDENTITY_INTERNAL_URL: 'http://127.0.0.1:1' }),
    'The identity provider cannot be reached: check that it runs, IDENTITY_REALM_URL, IDENTITY_AUTH_URL and IDENTITY_INTERNAL_URL.',
  ],
])('the identity provider is checked at the start: %s', async (_fault, settings, reason) => {
  const { service, reasons, told, text } = await start(settings());
  expect(await reasons()).toEqual({ identity: reason.replaceAll('PORT', new URL(world.identity.url).port) });
  expect(told()).toHaveLength(1);
  expect(text()).not.toContain(password);
  await service.stop();
});

test.each([
  ['missing', '/nowhere/files', 'The folder STORAGE_DIR does not exist: create it or correct the path.'],
  ['a file', fileURLToPath(import.meta.url), 'STORAGE_DIR is not a folder: correct the path.'],
])('the storage folder is checked at the start: %s', async (_fault, STORAGE_DIR, storage) => {
  const { service, reasons } = await start({ STORAGE_DIR });
  expect(await reasons()).toEqual({ storage });
  await service.stop();
});

test('without a fault there is no reason, and each outage is logged once when it begins and once when it ends', async () => {
  const proxy = await startProxy(world.databaseUrl);
  const { service, ready, reasons, told } = await start({ DATABASE_URL: proxy.url });
  expect(await ready()).toMatchObject({ status: 'ok', reasons: {} });
  const outage = [['database is down', unreachable], ['database is up again']];
  for (const earlier of [[], outage]) {
    proxy.cut();
    await expect.poll(told).toEqual([...earlier, outage[0]]);
    expect(await reasons()).toEqual({ database: unreachable });
    proxy.forward();
    await expect.poll(told).toEqual([...earlier, ...outage]);
    expect(await reasons()).toEqual({});
  }
  await service.stop();
  await proxy.stop();
});

test('a bug in a check is reported as a bug, and not as an outage of the part', async () => {
  const check = (part: Part): HealthCheck => ({
    run: () => (part === 'storage' ? Promise.reject(new TypeError('x is not a function')) : Promise.resolve()),
    explain: () => 'The storage cannot be reached',
    messages: { down: 'down', up: 'up' },
  });
  const monitor = new HealthMonitor(createLog('silent'));
  await monitor.start({
    checks: Object.fromEntries(parts.map((part) => [part, check(part)])) as Record<Part, HealthCheck>,
    hasKeys: () => true,
  });
  const storage = 'The check itself failed, because of a bug in the service: report the cause in the log.';
  expect(monitor.detailedReport()).toMatchObject({ status: 'degraded', reasons: { storage } });
  monitor.stop();
});

// Rules: HEALTH-7
test('a missing partition of the audit log for the next month makes the service degraded, until there is one', async () => {
  const { service, ready, told } = await start({});
  const checks = { database: 'ok', identity: 'ok', storage: 'ok', cache: 'ok' };
  await expect.poll(() => ready()).toEqual({ status: 'ok', checks, reasons: {} });
  const partitions = await world.sql<{ name: string }>(
    "select relid::text as name from pg_partition_tree('journal') where level = 1 order by 1 offset 1",
  );
  for (const { name } of partitions) await world.sql(`alter table journal detach partition ${name}`);
  const reason =
    'The audit log has no partition for the next month: without it, no write succeeds then. Run the migration, or see why the job audit-partitions fails.';
  await expect.poll(() => ready()).toEqual({ status: 'degraded', checks, reasons: { auditPartitions: reason } });
  const response = await fetch(`${service.url}/health/ready`);
  expect([response.status, await response.json()]).toEqual([200, { status: 'degraded', checks }]);
  for (const { name } of partitions) await world.sql(`drop table ${name}`);
  await world.sql('select create_audit_partitions(1)');
  await expect.poll(() => ready()).toEqual({ status: 'ok', checks, reasons: {} });
  expect(told()).toEqual([['the audit log lacks its next partition', reason], ['the audit log has its next partition again']]);
  await service.stop();
});

test('an unreachable database says nothing about the partitions of the audit log', async () => {
  const proxy = await startProxy(world.databaseUrl);
  const { service, reasons, told } = await start({ DATABASE_URL: proxy.url });
  const [{ name } = { name: '' }] = await world.sql<{ name: string }>(
    "select relid::text as name from pg_partition_tree('journal') where level = 1 order by 1 offset 1",
  );
  await world.sql(`drop table ${name}`);
  await expect.poll(reasons).toHaveProperty('auditPartitions');
  proxy.cut();
  await expect.poll(reasons).toMatchObject({ database: unreachable, auditPartitions: expect.any(String) });
  expect(told().filter(([line]) => line?.includes('partition'))).toHaveLength(1);
  await world.sql('select create_audit_partitions(1)');
  proxy.forward();
  await expect.poll(reasons).toEqual({});
  await service.stop();
  await proxy.stop();
});
