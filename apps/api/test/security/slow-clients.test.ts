import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../src/observability/log.ts';
import type { Service } from '../../src/service/service.ts';
import { openConnection } from '../transports/connection.ts';
import { content, form, pdf, upload } from '../support/files.ts';
import { createApi } from '../support/api.ts';
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
let service: Service;
let fileId: string;
/** The service's log. */
const lines: string[] = [];
beforeAll(async () => {
  service = await world.another({}, { clientLimits, log: createLog('info', { write: (line) => lines.push(line) }) });
  const large = new File([content('application/pdf', maxFileBytes)], 'large.pdf', { type: 'application/pdf' });
  fileId = (await upload(world, member, {}, large)).body.id;
});

const head = (request: string, ...headers: string[]) =>
  [`${request} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${member.token}`, ...headers, '', ''].join('\r\n');
const update = (framing: string) => head('PUT /api/organizations/1', 'Content-Type: application/json', framing);

describe('a request that never ends is rejected, and its connection closed:', () => {
  test.concurrent.each<[what: string, start: () => string, repeated: string]>([
    ['a head that stops', () => 'GET /api/customers HTTP/1.1\r\nHost: local', ''],
    ['a header that grows slowly', () => 'GET /api/customers HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', 'x'],
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
  const socket = connect(service.port, '127.0.0.1');
  socket.on('error', () => undefined).pause();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  // Much more than the buffers of the operating system hold.
  socket.write(head(`GET ${path()}`).repeat(8));
  const before = lines.length;
  await expect.poll(() => lines.slice(before).join('')).toContain('"aborted":true');
  // The client receives only what was sent before.
  let received = 0;
  socket.on('data', (chunk) => (received += chunk.length)).resume();
  await closed;
  expect(received).toBeGreaterThan(0);
  expect(received).toBeLessThan(8 * 4_000_000);
});

test('an upload whose file takes longer to copy than a silent connection may last succeeds', async () => {
  const stub = await startStubS3();
  const { url } = await world.another(stub.settings, { clientLimits });
  stub.copyMs = 2 * clientLimits.stallTimeout;
  // The field follows the file, so the service copies the file.
  const body = form(['file', pdf()], ['entityType', 'USER']);
  expect((await createApi(url).call(member, 'POST /api/attachments', body)).status).toBe(201);
  await stub.stop();
});
