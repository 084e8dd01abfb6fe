import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import { type Actor, outcome } from '../support/api.ts';
import { form, lookInto, pdf, rawForm, upload } from '../support/files.ts';
import { lockTable } from '../support/race.ts';
import { metricOf } from '../support/metrics.ts';
import { linkedOrganization } from '../support/organizations.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { headOf, openConnection } from '../transports/connection.ts';
import { maxFileBytes, useWorld } from '../support/world.ts';

/** A tenant may run one statement and one upload at once. Further requests wait up to 30 seconds. */
const world = useWorld();
const tenant = useTenant(world);
const member = useMember(world, tenant, 'tenant-admin');
const settings = { DATABASE_POOL_MAX: '2', UPLOADS_AT_ONCE_PER_TENANT: '1', MANAGEMENT_PORT: '0' };
const api = duringTests(() => world.another(settings, { tenantLimits: { waitMs: 30_000 } }));
let path: string;
beforeAll(async () => {
  path = `/api/organizations/${await linkedOrganization(world, tenant.id)}`;
});

/** Sends a request on a new connection. Returns a function that closes the connection. */
async function open(actor: Actor, target: string, body?: object): Promise<() => void> {
  const { socket } = await openConnection(api.port);
  const text = JSON.stringify(body) ?? '';
  socket.write(headOf(target, actor, 'Content-Type: application/json', `Content-Length: ${text.length}`) + text);
  return () => socket.destroy();
}

const alias = async () => (await api.call<{ alias: unknown }>(member, `GET ${path}`)).body.alias;
/** Number of calls of the operation whose clients disconnected before the response. */
const closedByClient = (operation: string) =>
  metricOf(api, 'profile_request_duration_seconds_count', new RegExp(`operation="${operation}",status="499"`));

test('cancels the statement of a list when the client disconnects, and uses the database connection for the next request', async () => {
  const { waiting, end } = await lockTable(world, 'organizations');
  const disconnect = await open(member, 'GET /api/organizations');
  await expect.poll(waiting).toBe(1);
  disconnect();
  // The lock is still held and the statement timeout is 10 seconds: only a cancelled statement ends within 8 seconds.
  await expect.poll(waiting, { timeout: 8_000 }).toBe(0);
  await expect.poll(() => closedByClient('organizations.list')).toBe(1);
  expect(outcome(await api.call(member, 'GET /api/states'))).toBe(200);
  await end();
  expect(outcome(await api.call(member, 'GET /api/organizations'))).toBe(200);
});

test('removes a queued JSON request when its client disconnects, and does not run it', async () => {
  const { waiting, end } = await lockTable(world, 'organizations');
  const first = api.call(member, 'GET /api/organizations');
  await expect.poll(waiting).toBe(1);
  const disconnect = await open(member, `PUT ${path}`, { alias: 'not written' });
  const queued = api.call(member, 'GET /api/states');
  disconnect();
  await expect.poll(() => closedByClient('organizations.update')).toBe(1);
  await end();
  expect([outcome(await first), outcome(await queued)]).toEqual([200, 200]);
  expect(await alias()).not.toBe('not written');
});

test('completes a write when its client disconnects while the statement runs', async () => {
  const { waiting, end } = await lockTable(world, 'organizations');
  const disconnect = await open(member, `PUT ${path}`, { alias: 'written' });
  await expect.poll(waiting).toBe(1);
  disconnect();
  // The write still waits for the lock after a read that was cancelled later has ended.
  const disconnectRead = await open(world.global, `GET ${path}`);
  await expect.poll(waiting).toBe(2);
  disconnectRead();
  await expect.poll(waiting).toBe(1);
  await end();
  await expect.poll(alias).toBe('written');
});

test('frees the upload slot when clients disconnect, running or queued', async () => {
  const begun = rawForm('x', [
    'content-disposition: form-data; name="file"; filename="a.pdf"\r\ncontent-type: application/pdf',
    '%PDF-1.7 begun',
  ]);
  const startUpload = async () => {
    const { socket } = await openConnection(api.port);
    socket.write(headOf('POST /api/attachments', member, 'Content-Type: multipart/form-data; boundary=x', 'Content-Length: 100000'));
    socket.write(begun.subarray(0, -8));
    return socket;
  };
  const before = await lookInto(world).keys();
  const [running, ...queued] = [await startUpload(), await startUpload(), await startUpload()];
  for (const socket of queued) socket.destroy();
  await expect.poll(() => closedByClient('attachments.create')).toBe(2);
  running.destroy();
  // The only slot is free at once, and no object of the first upload is left.
  expect(outcome(await api.call(member, 'POST /api/attachments', form(['file', pdf()])))).toBe(201);
  await expect.poll(async () => (await lookInto(world).keys()).length).toBe(before.length + 1);
});

test('stops reading files from the storage when the clients disconnect', async () => {
  const { body } = await upload(world, world.global, {}, pdf('large.pdf', maxFileBytes));
  const openFiles = async () => {
    const descriptors = await readdir('/proc/self/fd');
    const paths = await Promise.all(descriptors.map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => '')));
    return paths.filter((opened) => opened.startsWith(world.filesDir)).length;
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
