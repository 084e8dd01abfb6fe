import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import type { Service } from '../../src/service/service.ts';
import { type Actor, type Api, createApi, outcome } from '../support/api.ts';
import { form, lookInto, pdf, upload } from '../support/files.ts';
import { linkedOrganization } from '../support/organizations.ts';
import type { Person } from '../support/people.ts';
import { openConnection } from '../transports/connection.ts';
import { maxFileBytes, useWorld } from '../support/world.ts';

/** A tenant may run one statement and one upload at once. Further requests wait up to 30 seconds. */
const world = useWorld();
let service: Service;
let api: Api;
let member: Person;
let organizationId: string;
beforeAll(async () => {
  const tenant = await world.tenant();
  member = await world.person({ [tenant.id]: 'tenant-admin' });
  organizationId = await linkedOrganization(world, tenant.id);
  service = await world.another(
    { DATABASE_POOL_MAX: '2', UPLOADS_AT_ONCE_PER_TENANT: '1', MANAGEMENT_PORT: '0' },
    { tenantLimits: { waitMs: 30_000 } },
  );
  api = createApi(service.url);
});

/** Sends a request on a new connection. Returns a function that closes the connection. */
async function open({ token }: Actor, head: string, body = ''): Promise<() => void> {
  const { socket } = await openConnection(service.port);
  socket.write(`${head} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${body}`);
  return () => socket.destroy();
}

const json = (body: object) => {
  const text = JSON.stringify(body);
  return `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
};

/** Backends of the service that wait for a lock. */
const waiting = async () =>
  (await world.sql("select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")).length;

/** Number of calls of the operation whose clients disconnected before the response. */
async function closedByClient(operation: string): Promise<number> {
  const metrics = await (await fetch(`${service.managementUrl}/metrics`)).text();
  const line = new RegExp(`^profile_request_duration_seconds_count\\{operation="${operation}",status="499"\\} (\\d+)$`, 'm');
  return Number(line.exec(metrics)?.[1] ?? 0);
}

/** Runs the work while a transaction locks the table; `unlock` ends that transaction early. */
async function whileLocked(table: string, work: (unlock: () => Promise<unknown>) => Promise<void>): Promise<void> {
  const locker = new pg.Client({ connectionString: world.databaseUrl });
  await locker.connect();
  await locker.query(`begin; lock table ${table} in access exclusive mode`);
  try {
    await work(() => locker.query('rollback'));
  } finally {
    await locker.end();
  }
}

test('cancels the statement of a list when the client disconnects, and uses the database connection for the next request', async () => {
  await whileLocked('organizations', async () => {
    const disconnect = await open(member, 'GET /api/organizations', '\r\n');
    await expect.poll(waiting).toBe(1);
    disconnect();
    // The lock is still held and the statement timeout is 10 seconds: only a cancelled statement ends within 8 seconds.
    await expect.poll(waiting, { timeout: 8_000 }).toBe(0);
    await expect.poll(() => closedByClient('organizations.list')).toBe(1);
    expect(outcome(await api.call(member, 'GET /api/states'))).toBe(200);
  });
  expect(outcome(await api.call(member, 'GET /api/organizations'))).toBe(200);
});

test('removes a queued JSON request when its client disconnects, and does not run it', async () => {
  await whileLocked('organizations', async (unlock) => {
    const first = api.call(member, 'GET /api/organizations');
    await expect.poll(waiting).toBe(1);
    const disconnect = await open(member, `PUT /api/organizations/${organizationId}`, json({ alias: 'not written' }));
    const queued = api.call(member, 'GET /api/states');
    disconnect();
    await expect.poll(() => closedByClient('organizations.update')).toBe(1);
    await unlock();
    expect([outcome(await first), outcome(await queued)]).toEqual([200, 200]);
  });
  expect((await api.call<{ alias: unknown }>(member, `GET /api/organizations/${organizationId}`)).body.alias).not.toBe('not written');
});

test('completes a write when its client disconnects while the statement runs', async () => {
  await whileLocked('organizations', async () => {
    const disconnect = await open(member, `PUT /api/organizations/${organizationId}`, json({ alias: 'written' }));
    await expect.poll(waiting).toBe(1);
    disconnect();
    // The write still waits for the lock after a read that was cancelled later has ended.
    const disconnectRead = await open(world.global, `GET /api/organizations/${organizationId}`, '\r\n');
    await expect.poll(waiting).toBe(2);
    disconnectRead();
    await expect.poll(waiting).toBe(1);
  });
  const alias = async () => (await api.call<{ alias: unknown }>(member, `GET /api/organizations/${organizationId}`)).body.alias;
  await expect.poll(alias).toBe('written');
});

test('frees the upload slot when clients disconnect, running or queued', async () => {
  const boundary = 'x';
  const part = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.7 begun`;
  const startUpload = () =>
    open(
      member,
      'POST /api/attachments',
      `Content-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: 100000\r\n\r\n${part}`,
    );
  const before = await lookInto(world).keys();
  const disconnectFirst = await startUpload();
  const disconnectQueued = await startUpload();
  const disconnectLast = await startUpload();
  disconnectQueued();
  disconnectLast();
  await expect.poll(() => closedByClient('attachments.create')).toBe(2);
  disconnectFirst();
  // The only slot is free at once, and no object of the first upload is left.
  expect(outcome(await api.call(member, 'POST /api/attachments', form(['file', pdf()])))).toBe(201);
  await expect.poll(async () => (await lookInto(world).keys()).length).toBe(before.length + 1);
});

test('stops reading files from the storage when the clients disconnect', async () => {
  const { body } = await upload(world, world.global, {}, pdf('large.pdf', maxFileBytes));
  const openFiles = async () => {
    const descriptors = await readdir('/proc/self/fd');
    const paths = await Promise.all(descriptors.map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => '')));
    return paths.filter((path) => path.startsWith(world.filesDir)).length;
  };
  const begun = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const headers = { authorization: `Bearer ${world.global.token}` };
      const sent = get(`${world.service.url}/api/attachments/${body.id}`, { headers, agent: false });
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      await once(response, 'readable');
      return response;
    }),
  );
  expect(await openFiles()).toBe(20);
  for (const response of begun) response.destroy();
  await expect.poll(openFiles).toBe(0);
});
