import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Problem } from '@profile-service/contracts';
import { describe, expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { openConnection } from './connection.ts';

const world = useWorld();

const open = () => openConnection(world.service.port);
const head = (request: string, ...headers: string[]) =>
  [`${request} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${world.global.token}`, ...headers, '', ''].join('\r\n');
const post = (...headers: string[]) => head('POST /api/apps', 'Content-Type: application/json', ...headers);
const health = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';

describe('the connection stays usable after a rejected body', () => {
  const mib = 1024 * 1024;
  const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`;
  const withoutToken = 'POST /api/apps HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n';

  test.each<[what: string, begin: () => string, code: string, rest: string]>([
    [
      'whose chunks are too large',
      () => post('Transfer-Encoding: chunked') + chunk.repeat(17),
      'PAYLOAD_TOO_LARGE',
      `${chunk.repeat(64)}0\r\n\r\n`,
    ],
    ['whose Content-Length is too large', () => post(`Content-Length: ${2 * mib}`), 'PAYLOAD_TOO_LARGE', 'x'.repeat(2 * mib)],
    ['of an unauthenticated caller', () => withoutToken, 'UNAUTHORIZED', 'x'.repeat(100_000)],
  ])('%s', async (_what, begin, code, rest) => {
    const { socket, until } = await open();
    socket.write(begin());
    await until(code);
    socket.write(rest);
    socket.write(health);
    expect(await until('"status":"ok"')).toContain('"status":"ok"');
    socket.destroy();
  });
});

describe('a malformed HTTP request', () => {
  // Rules: ERRORS-1
  test.each([
    ['no request line', 'nonsense\r\n\r\n'],
    ['a header without colon', 'GET /api/users HTTP/1.1\r\nHost: localhost\r\nno header\r\n\r\n'],
    ['a head of 20 kB', `GET /api/users HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('gets a problem document, and the connection ends: %s', async (_what, text) => {
    const { socket, closed, until } = await open();
    socket.write(text);
    await closed;
    const [answerHead = '', body = ''] = (await until('')).split('\r\n\r\n');
    expect(answerHead).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answerHead.toLowerCase()).toContain('content-type: application/problem+json');
    expect(answerHead.toLowerCase()).toContain('x-content-type-options: nosniff');
    const problem = Problem.strict().parse(JSON.parse(body));
    expect(problem).toMatchObject({ type: 'http://docs.example/errors#VALIDATION_FAILED', status: 400, code: 'VALIDATION_FAILED' });
    expect(answerHead.toLowerCase()).toContain(`x-request-id: ${problem.instance}`);
  });
});

test('a request without Host is rejected', async () => {
  const { socket, until } = await open();
  socket.write('GET /api/users HTTP/1.1\r\n\r\n');
  expect(await until('VALIDATION_FAILED')).toContain('"errors":[{"path":"Host"');
  socket.destroy();
});

test('an unknown Expect header is ignored', async () => {
  const { socket, until } = await open();
  socket.write(`GET /health/live HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\n\r\n`);
  expect(await until('"status":"ok"')).toContain('HTTP/1.1 200 OK');
  socket.destroy();
});

/** More than the buffers of the operating system hold, so the response arrives while the client is still sending. */
const bodyBytes = 16 * 1024 * 1024;
const mebibyte = Buffer.alloc(1024 * 1024, ' ');

/** Sends the whole body and reads only then, as simple clients do. Returns the status line, or the error that kept the client from reading it. */
async function sendWholeBody(port: number, target: string, headers: Record<string, string>): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let failure = '';
  let received = '';
  socket.on('error', (error: NodeJS.ErrnoException) => (failure ||= error.code ?? 'error'));
  socket.on('data', (data) => (received += data.toString('latin1')));
  const closed = once(socket, 'close');
  const lines = Object.entries({ host: 'localhost', 'content-type': 'application/json', 'content-length': String(bodyBytes), ...headers });
  socket.write(`${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  for (let sent = 0; sent < bodyBytes && !socket.destroyed; sent += mebibyte.length) {
    if (!socket.write(mebibyte)) await Promise.race([once(socket, 'drain'), closed]).catch(() => undefined);
    await nextTurn();
  }
  while (!received.includes('\r\n\r\n') && !socket.destroyed) await Promise.race([once(socket, 'data'), closed]).catch(() => undefined);
  socket.destroy();
  return failure || (received.split('\r\n')[0] ?? '');
}

test.each([
  ['a large body', 'POST /api/customers', true, '413 Payload Too Large'],
  ['a body without a token', 'POST /api/customers', false, '401 Unauthorized'],
  ['a body for an unknown route', 'POST /api/nothing', true, '404 Not Found'],
  ['a body for another method', 'POST /api/me/tenants', true, '405 Method Not Allowed'],
  ['a body for a page', 'POST /docs', true, '405 Method Not Allowed'],
  ['a body over tRPC without a token', 'POST /trpc/customers.create', false, '401 Unauthorized'],
])('a client that sends %s of 16 MiB can read the error response', async (_what, target, hasToken, status) => {
  const authorization: Record<string, string> = hasToken ? { authorization: `Bearer ${world.global.token}` } : {};
  for (const connection of ['close', 'keep-alive'])
    expect(await sendWholeBody(world.service.port, target, { connection, ...authorization })).toBe(`HTTP/1.1 ${status}`);
});

test('a client over the rate limit can read the 429 response', async () => {
  const { port } = await world.another({ RATE_LIMIT_ADDRESS_PER_SECOND: '1' }, { limitWindowSeconds: 3600 });
  const send = () => sendWholeBody(port, 'POST /api/customers', { connection: 'close' });
  await send();
  expect(await send()).toBe('HTTP/1.1 429 Too Many Requests');
});
