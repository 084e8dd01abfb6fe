import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import { headOf, openConnection } from '../transports/connection.ts';
import { content, form, pdf, rawForm, upload } from '../support/files.ts';
import { recordLog } from '../support/recorded-log.ts';
import { startStubS3 } from '../../../../test/storage/stub-s3.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { maxFileBytes, useWorld } from '../support/world.ts';

/** Shorter than the service's own limits of 10 seconds and more, in the same order. */
const clientLimits = {
  headersTimeout: 200,
  requestTimeout: 400,
  keepAliveTimeout: 400,
  stallTimeout: 1_000,
  connectionsCheckingInterval: 50,
};

const world = useWorld();
const member = useMember(world, useTenant(world), 'tenant-admin');
const { log, text, clear } = recordLog();
const service = duringTests(() => world.another({}, { clientLimits, log }));
let fileId: string;
beforeAll(async () => {
  fileId = (await upload(world, member, {}, pdf('large.pdf', maxFileBytes))).body.id;
});

const update = (framing: string) => headOf('PUT /api/organizations/1', member, 'Content-Type: application/json', framing);

describe('a request that never ends is rejected, and its connection closed:', () => {
  test.concurrent.each<[what: string, start: () => string, repeated: string]>([
    ['a head that stops', () => 'GET /api/customers HTTP/1.1\r\nHost: local', ''],
    ['a header that grows slowly', () => 'GET /api/customers HTTP/1.1\r\nHost: local', 'x'],
    ['a growing number of headers', () => 'GET /api/customers HTTP/1.1\r\nHost: localhost\r\n', 'X: y\r\n'],
    ['a slow body with Content-Length', () => update('Content-Length: 9999'), ' '],
    ['a slow body in chunks', () => update('Transfer-Encoding: chunked'), '1\r\n \r\n'],
  ])('%s', async (_what, start, repeated) => {
    const { socket, closed, until } = await openConnection(service.port);
    socket.write(start());
    const timer = setInterval(() => socket.write(repeated), 50);
    await closed;
    clearInterval(timer);
    expect(await until('')).toMatch(/^HTTP\/1\.1 400 /);
  });
});

test('a connection on which nothing arrives is closed without a response', async () => {
  const { closed, until } = await openConnection(service.port);
  await closed;
  expect(await until('')).toBe('');
});

test.each([
  ['a file', () => `/api/attachments/${fileId}`],
  ['a page that needs no token', () => '/docs/scalar.js'],
])('a response that the client does not read is aborted, and its connection closed: %s', async (_what, path) => {
  const { socket, closed } = await openConnection(service.port);
  // Much more than the buffers of the operating system hold.
  socket.pause().write(headOf(`GET ${path()}`, member).repeat(8));
  clear();
  await expect.poll(text).toContain('"aborted":true');
  // The client receives only what was sent before.
  let received = 0;
  socket.on('data', (chunk) => (received += chunk.length)).resume();
  await closed;
  expect(received).toBeGreaterThan(0);
  expect(received).toBeLessThan(8 * 4_000_000);
});

// unit/client-time-limits.test.ts has the time limits of an upload.
test('an upload may take longer than another request', async () => {
  const { socket, until } = await openConnection(service.port);
  const body = rawForm('x', ['content-disposition: form-data; name="file"; filename="a.pdf"\r\ncontent-type: application/pdf', content()]);
  const headers = ['Content-Type: multipart/form-data; boundary=x', `Content-Length: ${body.length}`];
  socket.write(headOf('POST /api/attachments', member, ...headers));
  socket.write(body.subarray(0, -1));
  await pause(2 * clientLimits.requestTimeout);
  socket.write(body.subarray(-1));
  expect(await until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 201 /);
  socket.destroy();
});

test('an upload whose file takes longer to copy than a silent connection may last succeeds', async () => {
  const stub = await startStubS3();
  const onStub = await world.another(stub.settings, { clientLimits });
  stub.copyMs = 2 * clientLimits.stallTimeout;
  // The field follows the file, so the service copies the file.
  const body = form(['file', pdf()], ['entityType', 'USER']);
  expect((await onStub.call(member, 'POST /api/attachments', body)).status).toBe(201);
  await stub.stop();
});
