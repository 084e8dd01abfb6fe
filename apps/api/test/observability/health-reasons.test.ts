import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createPlainServer, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import { listen } from '../../../../test/listen.ts';
import { startRedis, type TestRedis } from '../../../../test/redis.ts';
import { type HealthCheck, HealthMonitor, type Part, parts } from '../../src/observability/health.ts';
import { createLog } from '../../src/observability/log.ts';
import { startProcess } from '../support/process.ts';
import { reasonsOf } from '../support/readiness.ts';
import { recordLog } from '../support/recorded-log.ts';
import { pemFileOf, startTlsProxy } from '../support/tls-proxy.ts';
import { useWorld } from '../support/world.ts';

const password = 'a-secret-value';
const world = useWorld();
/** The number of requests to the storages. */
let requests = 0;
const program = inject('redisServer');
const redis = duringTests(
  async () => (program ? startRedis(program, ['--requirepass', password]) : ({} as TestRedis)),
  (started) => started.remove(),
);

/** Starts an S3 storage that responds to every request with this status. */
async function onS3(status: number): Promise<Record<string, string>> {
  const server = createServer((_request, response) => {
    requests += 1;
    response.writeHead(status).end();
  });
  onTestFinished(() => server.close().closeAllConnections());
  const STORAGE_ENDPOINT = `http://127.0.0.1:${await listen(server)}`;
  const key = { STORAGE_ACCESS_KEY_ID: 'key', STORAGE_SECRET_ACCESS_KEY: password };
  return { STORAGE_DIR: '', STORAGE_ENDPOINT, STORAGE_BUCKET: 'files', ...key };
}

/** Starts a service with these settings. */
async function start(settings: Record<string, string>, healthIntervalMs = 50) {
  const { log, about, text } = recordLog();
  const service = await world.another({ MANAGEMENT_PORT: '0', ...settings }, { healthIntervalMs, log });
  return { service, about, text, reasons: () => reasonsOf(service) };
}

const databaseUrl = (changes: Partial<URL>) => Object.assign(new URL(world.databaseUrl), changes).href;
const realm = () => world.environment['IDENTITY_REALM_URL'] ?? '';
const redisUrl = (changes: Partial<URL> = {}) => Object.assign(new URL(program ? redis.url : 'redis://127.0.0.1'), changes).href;
const noResponse = 'Redis does not respond: check that it runs, and the host and port in REDIS_URL.';

const otherHost = () => realm().replace('localhost', '127.0.0.1');
const addressOfRealm = (host: string) => `http://${host}:${new URL(world.identity.url).port}/realms/profile`;

/** One fault of each of several parts. Those of Redis are left out without it. */
type Scenario = [settings: () => Promise<Record<string, string>>, reasons: () => Record<string, string>];
// Rules: HEALTH-6
test.each<Scenario>([
  [
    async () => ({
      ...(await onS3(404)),
      DATABASE_URL: databaseUrl({ username: 'nobody', password }),
      IDENTITY_REALM_URL: `${realm()}-nowhere`,
      REDIS_URL: redisUrl({ port: '1' }),
    }),
    () => ({
      database: 'PostgreSQL rejects the user or the password in DATABASE_URL: correct them.',
      identity: 'The identity provider does not know the realm: check IDENTITY_REALM_URL and IDENTITY_AUTH_URL.',
      storage: 'The bucket STORAGE_BUCKET does not exist: create it or correct the name.',
      cache: noResponse,
    }),
  ],
  [
    async () => ({
      ...(await onS3(403)),
      DATABASE_URL: databaseUrl({ pathname: 'nowhere' }),
      IDENTITY_CLIENT_SECRET: password,
      REDIS_URL: redisUrl({ password: 'guess' }),
    }),
    () => ({
      database: 'The database named in DATABASE_URL does not exist: create it or correct the name.',
      identity:
        'The identity provider rejects the service’s client: check IDENTITY_CLIENT_ID and IDENTITY_CLIENT_SECRET, and that its service account is enabled.',
      storage:
        'The storage rejects the key: check STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY and the key’s rights on STORAGE_BUCKET.',
      cache: 'Redis rejects the user or the password in REDIS_URL: correct them.',
    }),
  ],
  [
    async () => ({
      IDENTITY_CLIENT_ID: 'harvest',
      IDENTITY_CLIENT_SECRET: 'test-harvest-secret',
      STORAGE_DIR: '/nowhere/files',
      REDIS_URL: redisUrl({ protocol: 'rediss' }),
    }),
    () => ({
      identity:
        'The service account of the client harvest lacks manage-users of realm-management: assign view-users and manage-users, otherwise no user can be created.',
      storage: 'The folder STORAGE_DIR does not exist: create it or correct the path.',
      cache:
        'Redis does not accept the connection in time: check the host and port in REDIS_URL, and with rediss that Redis uses TLS there.',
    }),
  ],
  [
    async () => ({
      IDENTITY_REALM_URL: otherHost(),
      IDENTITY_AUTH_URL: otherHost(),
      STORAGE_DIR: fileURLToPath(import.meta.url),
      REDIS_URL: redisUrl(),
    }),
    () => ({
      identity: `The configuration of ${addressOfRealm('127.0.0.1')} names the issuer ${addressOfRealm('localhost')}: set IDENTITY_REALM_URL and IDENTITY_AUTH_URL to the issuers, exactly as in \`iss\` of the tokens.`,
      storage: 'STORAGE_DIR is not a folder: correct the path.',
      cache: 'Redis requires a password: add it to REDIS_URL, as in redis://:password@host:6379.',
    }),
  ],
  [
    async () => ({ IDENTITY_INTERNAL_URL: 'http://127.0.0.1:1' }),
    () => ({
      identity:
        'The identity provider cannot be reached: check that it runs, IDENTITY_REALM_URL, IDENTITY_AUTH_URL and IDENTITY_INTERNAL_URL.',
    }),
  ],
])(
  'faults are found at the start, and their reasons are on the management port and once in the log, without secrets: %#',
  async (...scenario) => {
    const settings = await scenario[0]();
    const expected = scenario[1]();
    if (!program) {
      settings['REDIS_URL'] = '';
      delete expected['cache'];
    }
    const { service, reasons, about, text } = await start(settings);
    expect(await reasons()).toEqual(expected);
    const checks = requests;
    if (settings['STORAGE_ENDPOINT']) await vi.waitUntil(() => requests > checks + 5, 30_000);
    const lines = Object.entries(expected).map(([part, reason]) => [`${part} is down`, reason]);
    expect(about().toSorted()).toEqual(lines.toSorted());
    expect(text()).not.toMatch(new RegExp(`${password}|guess`));
    await service.stop();
  },
);

// Rules: HEALTH-3, HEALTH-6
test.skipIf(!program)('the check of the cache succeeds from the start, and fails while Redis hangs, also at the start', async () => {
  const settings = { REDIS_URL: redisUrl({ password }) };
  // No later check can correct the first one of this service.
  expect(await (await start(settings, 600_000)).reasons()).toEqual({});
  const { reasons, about } = await start(settings);
  redis.pause();
  await expect.poll(reasons).toEqual({ cache: noResponse });
  const late = await start(settings);
  expect(await late.reasons()).toEqual({ cache: noResponse });
  redis.resume();
  await expect.poll(reasons).toEqual({});
  await expect.poll(late.reasons).toEqual({});
  expect(about('cache')).toEqual([['cache is down', noResponse], ['cache is up again']]);
});

test('a bug in a check is reported as a bug, and not as an outage of the part', async () => {
  const check = (part: Part): HealthCheck => ({
    run: () => (part === 'storage' ? Promise.reject(new TypeError('x is not a function')) : Promise.resolve()),
    explain: () => 'The storage cannot be reached',
    messages: { down: 'down', up: 'up' },
  });
  const monitor = new HealthMonitor(createLog('silent'));
  const checks = Object.fromEntries(parts.map((part) => [part, check(part)])) as Record<Part, HealthCheck>;
  await monitor.start({ checks, hasKeys: () => true });
  const storage = 'The check itself failed, because of a bug in the service: report the cause in the log.';
  expect(monitor.detailedReport()).toMatchObject({ status: 'degraded', reasons: { storage } });
  monitor.stop();
});

/** Starts a server, and returns the settings that make it the identity provider, the storage and the cache. */
async function settingsOf(server: Server): Promise<Record<string, string>> {
  const address = `localhost:${await listen(server)}`;
  onTestFinished(() => void server.close());
  return {
    IDENTITY_INTERNAL_URL: `https://${address}`,
    STORAGE_DIR: '',
    STORAGE_ENDPOINT: `https://${address}`,
    STORAGE_BUCKET: 'files',
    STORAGE_ACCESS_KEY_ID: 'key',
    STORAGE_SECRET_ACCESS_KEY: 'secret',
    REDIS_URL: `rediss://${address}`,
  };
}

/** Starts servers with this certificate. @param isTrusted whether the service accepts it, if its host name and its dates are right */
async function settingsWith(certificate: Parameters<typeof pemFileOf>[0], isTrusted: boolean): Promise<Record<string, string>> {
  const file = pemFileOf(certificate);
  const pem = readFileSync(file);
  const database = await startTlsProxy(world.databaseUrl, file);
  onTestFinished(() => database.stop());
  const server = createTlsServer({ key: pem, cert: pem }, (socket) => socket.destroy()).on('tlsClientError', () => undefined);
  const trusted = isTrusted ? { NODE_EXTRA_CA_CERTS: file, DATABASE_CA_FILE: file } : {};
  return { ...(await settingsOf(server)), ...trusted, DATABASE_URL: `${database.url}?sslmode=verify-full` };
}

/** A server that does not know TLS, and PostgreSQL without certificate. */
async function settingsWithoutTls(): Promise<Record<string, string>> {
  const server = createPlainServer((socket) =>
    socket.on('error', () => undefined).once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  );
  return { ...(await settingsOf(server)), DATABASE_URL: `${world.databaseUrl}?sslmode=verify-full` };
}

/** Those that a reason is about, and what to do, in the same order. */
const owners = { database: 'PostgreSQL', identity: 'The identity provider', storage: 'The storage', cache: 'Redis' };
const caFiles = ['set DATABASE_CA_FILE', 'NODE_EXTRA_CA_CERTS', 'NODE_EXTRA_CA_CERTS', 'NODE_EXTRA_CA_CERTS'];
const addresses = ['DATABASE_URL', 'IDENTITY_INTERNAL_URL', 'STORAGE_ENDPOINT', 'REDIS_URL'];
const protocols = ['ssl = on in postgresql.conf', 'replace https by http', 'STORAGE_ENDPOINT', 'replace rediss by redis'];

// Rules: HEALTH-6
test.each<[fault: string, prepare: () => Promise<Record<string, string>>, advice: string[]]>([
  ['certificate is not accepted', () => settingsWith('localhost', false), caFiles],
  ['certificate has expired', () => settingsWith('expired', true), ['renew it', 'renew it', 'renew it', 'renew it']],
  ['certificate names another host', () => settingsWith('other-host', true), addresses],
  ['does not use TLS', settingsWithoutTls, protocols],
])('the reason says "%s" and what to do, for each part', async (fault, prepare, advice) => {
  const service = await startProcess({ ...world.environment, MANAGEMENT_PORT: '0', ...(await prepare()) });
  onTestFinished(() => service.kill());
  const expected = Object.entries(owners).map(([part, owner], index) => [
    part,
    expect.stringMatching(`^${owner}(’s)? ${fault}.*: .*${advice[index]}`),
  ]);
  await expect.poll(() => reasonsOf(service)).toEqual(Object.fromEntries(expected));
});
