import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../src/observability/log.ts';
import { startProxy } from '../support/proxy.ts';
import { startWorld, type World } from '../support/world.ts';

const password = 'a-secret-value';

interface Line {
  part?: string;
  reason?: string;
  msg: string;
}

let world: World;
/** S3 endpoints that answer every request with this status. */
const s3 = { missingBucket: createServer(respond(404)), rejectedKey: createServer(respond(403)) };
beforeAll(async () => {
  world = await startWorld();
  for (const server of Object.values(s3)) await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  for (const server of Object.values(s3)) server.close().closeAllConnections();
  await world.stop();
});

function respond(status: number): RequestListener {
  return (_request, response) => response.writeHead(status).end();
}

const onS3 = (server: Server) => ({
  STORAGE_DIR: '',
  STORAGE_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  STORAGE_BUCKET: 'files',
  STORAGE_ACCESS_KEY_ID: 'key',
  STORAGE_SECRET_ACCESS_KEY: password,
});

/** Starts a service with a fault in its settings. */
async function start(settings: Record<string, string>, intervalMs = 50) {
  const log: string[] = [];
  const service = await world.another(
    { MANAGEMENT_PORT: '0', ...settings },
    { healthIntervalMs: intervalMs, log: createLog('info', { write: (line) => log.push(line) }) },
  );
  const ready = async (url = service.managementUrl) => (await (await fetch(`${url}/health/ready`)).json()) as Record<string, unknown>;
  return {
    service,
    ready,
    reasons: async () => (await ready())['reasons'],
    /** What the log says of the parts. */
    told: () =>
      log
        .map((line) => JSON.parse(line) as Line)
        .filter(({ part }) => part)
        .map(({ msg, reason }) => [msg, ...(reason ? [reason] : [])]),
    text: () => log.join(''),
  };
}

const withLogin = (user: string, database?: string) => {
  const url = new URL(world.databaseUrl);
  url.username = user;
  url.password = password;
  if (database) url.pathname = database;
  return { DATABASE_URL: url.href };
};

describe('the reason of a fault is on the management port and once in the log:', () => {
  test.each<[string, () => Record<string, string>, string, string]>([
    [
      'a database user that does not exist',
      () => withLogin('nobody'),
      'database',
      'PostgreSQL rejects the user or the password in DATABASE_URL: correct them.',
    ],
    [
      'a database that does not exist',
      () => ({ DATABASE_URL: new URL('nowhere', world.databaseUrl).href }),
      'database',
      'The database named in DATABASE_URL does not exist: create it or correct the name.',
    ],
    [
      'a database that does not listen',
      () => ({ DATABASE_URL: 'postgres://profile@127.0.0.1:1/profile' }),
      'database',
      'PostgreSQL cannot be reached: check that it runs, and the host and port in DATABASE_URL.',
    ],
    [
      'a realm that does not exist',
      () => ({ IDENTITY_REALM_URL: `${world.environment['IDENTITY_REALM_URL']}-nowhere` }),
      'identity',
      'The identity provider does not know the realm: check IDENTITY_REALM_URL and IDENTITY_AUTH_URL.',
    ],
    [
      'a bucket that does not exist',
      () => onS3(s3.missingBucket),
      'storage',
      'The bucket STORAGE_BUCKET does not exist: create it or correct the name.',
    ],
    [
      'a storage secret that is wrong',
      () => onS3(s3.rejectedKey),
      'storage',
      'The storage rejects the key: check STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY and the key’s rights on STORAGE_BUCKET.',
    ],
    [
      'a Redis that does not listen',
      () => ({ REDIS_URL: `redis://:${password}@127.0.0.1:1` }),
      'cache',
      'Redis does not respond: check that it runs, and the host and port in REDIS_URL.',
    ],
  ])('%s', async (_fault, settings, part, reason) => {
    const { service, ready, reasons, told, text } = await start(settings());
    expect(await reasons()).toEqual({ [part]: reason });
    // The public port shows the state alone.
    expect(Object.keys(await ready(service.url))).toEqual(['status', 'checks']);
    // Several rounds of checks later nothing is added.
    for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setTimeout(resolve, 60));
    expect(told()).toEqual([[`${part} is down`, reason]]);
    expect(text()).not.toContain(password);
    await service.stop();
  });
});

test('without a fault there is no reason and no line', async () => {
  const { service, ready, told } = await start({});
  expect(await ready()).toMatchObject({ status: 'ok', reasons: {} });
  await service.stop();
  expect(told()).toEqual([]);
});

test('each outage is logged once when it begins and once when it ends', async () => {
  const proxy = await startProxy(world.databaseUrl);
  const { service, reasons, told } = await start({ DATABASE_URL: proxy.url });
  const down = ['database is down', 'PostgreSQL cannot be reached: check that it runs, and the host and port in DATABASE_URL.'];
  const up = ['database is up again'];
  for (const outages of [1, 2]) {
    proxy.cut();
    await expect.poll(told).toEqual([...(outages === 2 ? [down, up] : []), down]);
    expect(await reasons()).toEqual({ database: down[1] });
    proxy.mend();
    await expect.poll(told).toEqual(outages === 2 ? [down, up, down, up] : [down, up]);
    expect(await reasons()).toEqual({});
  }
  await service.stop();
  await proxy.stop();
});
