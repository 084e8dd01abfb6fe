import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { headOf, openConnection } from './connection.ts';

const world = useWorld();

const mib = 1024 * 1024;
const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`;
const json = 'Content-Type: application/json';

test.each<[what: string, begin: () => string, code: string, rest: string]>([
  [
    'whose chunks are too large',
    () => headOf('POST /api/apps', world.global, json, 'Transfer-Encoding: chunked') + chunk.repeat(17),
    'PAYLOAD_TOO_LARGE',
    `${chunk.repeat(64)}0\r\n\r\n`,
  ],
  [
    'whose Content-Length is too large',
    () => headOf('POST /api/apps', world.global, json, `Content-Length: ${2 * mib}`),
    'PAYLOAD_TOO_LARGE',
    'x'.repeat(2 * mib),
  ],
  ['of an unauthenticated caller', () => headOf('POST /api/apps', {}, 'Content-Length: 100000'), 'UNAUTHORIZED', 'x'.repeat(100_000)],
])('the connection stays usable after a rejected body %s', async (_what, begin, code, rest) => {
  const { socket, until } = await openConnection(world.service.port);
  socket.write(begin());
  await until(code);
  socket.write(rest + headOf('GET /health/live'));
  expect(await until('"status":"ok"')).toContain('"status":"ok"');
  socket.destroy();
});

test.each([
  ['without Host is rejected', 'GET /api/users HTTP/1.1\r\n\r\n', '"errors":[{"path":"Host"'],
  ['with two Host headers is rejected', headOf('GET /health/live', {}, 'Host: evil.example'), '"errors":[{"path":"Host"'],
  ['with an unknown Expect header is served', headOf('GET /health/live', {}, 'Expect: wonders'), '"status":"ok"'],
])('a request %s', async (_what, request, expected) => {
  const { socket, until } = await openConnection(world.service.port);
  socket.write(request);
  expect(await until(expected)).toContain(expected);
  socket.destroy();
});

/** More than the buffers of the operating system hold, so the response arrives while the client is still sending. */
const bodyBytes = 16 * mib;
const mebibyte = Buffer.alloc(mib, ' ');

/** Sends the whole body and reads only then, as simple clients do. Returns the status line, or the error that kept the client from reading it. */
async function sendWholeBody(port: number, head: string): Promise<string> {
  const { socket, closed, until } = await openConnection(port);
  let failure = '';
  socket.on('error', (error: NodeJS.ErrnoException) => (failure ||= error.code ?? 'error'));
  socket.write(head);
  for (let sent = 0; sent < bodyBytes && !socket.destroyed; sent += mib) {
    if (!socket.write(mebibyte)) await Promise.race([once(socket, 'drain'), closed]).catch(() => undefined);
    await nextTurn();
  }
  const [statusLine = ''] = (await until('\r\n\r\n').catch(() => '')).split('\r\n');
  socket.destroy();
  return failure || statusLine;
}

test.each([
  ['a large body', 'POST /api/customers', true, '413 Payload Too Large'],
  ['a body without a token', 'POST /api/customers', false, '401 Unauthorized'],
  ['a body for an unknown route', 'POST /api/nothing', true, '404 Not Found'],
  ['a body for another method', 'POST /api/me/tenants', true, '405 Method Not Allowed'],
  ['a body for a page', 'POST /docs', true, '405 Method Not Allowed'],
  ['a body over tRPC without a token', 'POST /trpc/customers.create', false, '401 Unauthorized'],
])('a client that sends %s of 16 MiB can read the error response', async (_what, target, hasToken, status) => {
  for (const connection of ['close', 'keep-alive']) {
    const head = headOf(target, hasToken ? world.global : {}, json, `Content-Length: ${bodyBytes}`, `Connection: ${connection}`);
    expect(await sendWholeBody(world.service.port, head)).toBe(`HTTP/1.1 ${status}`);
  }
});

test('a client over the rate limit can read the 429 response', async () => {
  const { port } = await world.another({ RATE_LIMIT_ADDRESS_PER_SECOND: '1' }, { limitWindowSeconds: 3600 });
  const send = () => sendWholeBody(port, headOf('POST /api/customers', {}, json, `Content-Length: ${bodyBytes}`, 'Connection: close'));
  await send();
  expect(await send()).toBe('HTTP/1.1 429 Too Many Requests');
});
