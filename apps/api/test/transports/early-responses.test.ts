import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';

/** More than the buffers of the operating system hold, so the response arrives while the client is still sending. */
const bodyBytes = 16 * 1024 * 1024;
const chunk = Buffer.alloc(1024 * 1024, ' ');

const world = useWorld();

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
  for (let sent = 0; sent < bodyBytes && !socket.destroyed; sent += chunk.length) {
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), closed]).catch(() => undefined);
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
