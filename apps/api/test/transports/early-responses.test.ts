import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWorld, type World } from '../support/world.ts';

const bodyBytes = 30 * 1024 * 1024;
const chunk = Buffer.alloc(1024 * 1024, ' ');

let world: World;
beforeAll(async () => (world = await startWorld()));
afterAll(() => world.stop());

/** Sends the whole body at full speed, as simple clients do, and only then reads. Returns the status line, or what kept the client from reading it. */
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

describe.each(['close', 'keep-alive'])('a client with a body of 30 MiB and Connection: %s reads its refusal:', (connection) => {
  test.each([
    ['PAYLOAD_TOO_LARGE', 'POST /api/customers', true, 'HTTP/1.1 413 Payload Too Large'],
    ['UNAUTHORIZED', 'POST /api/customers', false, 'HTTP/1.1 401 Unauthorized'],
    ['ROUTE_NOT_FOUND', 'POST /api/nothing', true, 'HTTP/1.1 404 Not Found'],
    ['METHOD_NOT_ALLOWED', 'POST /api/me/tenants', true, 'HTTP/1.1 405 Method Not Allowed'],
    ['METHOD_NOT_ALLOWED of a page', 'POST /docs', true, 'HTTP/1.1 405 Method Not Allowed'],
    ['UNAUTHORIZED over tRPC', 'POST /trpc/customers.create', false, 'HTTP/1.1 401 Unauthorized'],
  ])('%s', async (_code, target, hasToken, statusLine) => {
    const headers = { connection, ...(hasToken ? { authorization: `Bearer ${world.global.token}` } : {}) };
    const lines = new Set<string>();
    for (let attempt = 0; attempt < 4; attempt += 1) lines.add(await sendWholeBody(world.service.port, target, headers));
    expect([...lines]).toEqual([statusLine]);
  });
});

test('a client over the rate limit reads its 429', async () => {
  const { port } = await world.another({ RATE_LIMIT_ADDRESS_PER_SECOND: '1' }, { limitWindowSeconds: 3600 });
  const headers = { connection: 'close', authorization: `Bearer ${world.global.token}` };
  const lines = [];
  for (let attempt = 0; attempt < 4; attempt += 1) lines.push(await sendWholeBody(port, 'POST /api/customers', headers));
  expect(lines.slice(1)).toEqual(Array.from({ length: 3 }, () => 'HTTP/1.1 429 Too Many Requests'));
});
