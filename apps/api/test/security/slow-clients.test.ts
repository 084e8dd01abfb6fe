import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../src/observability/log.ts';
import type { Service } from '../../src/service.ts';
import { openConnection } from '../transports/connection.ts';
import { content, upload } from '../support/files.ts';
import type { Person } from '../support/people.ts';
import { maxFileBytes, startWorld, type World } from '../support/world.ts';

/** Shorter than the service's own limits of ten seconds and more, in the same order. */
const clientLimits = {
  headersTimeout: 500,
  requestTimeout: 1_000,
  keepAliveTimeout: 1_000,
  stallTimeout: 2_000,
  connectionsCheckingInterval: 100,
};

let world: World;
let service: Service;
let member: Person;
let fileId: string;
/** The service's log. */
const lines: string[] = [];
beforeAll(async () => {
  world = await startWorld();
  service = await world.another({}, { clientLimits, log: createLog('info', { write: (line) => lines.push(line) }) });
  member = await world.person({ [(await world.tenant()).id]: 'technician' });
  const large = new File([content('application/pdf', maxFileBytes)], 'large.pdf', { type: 'application/pdf' });
  fileId = (await upload(world, member, {}, large)).body.id;
});
afterAll(() => world.stop());

const open = () => openConnection(service.port);
const head = (request: string, ...headers: string[]) =>
  [`${request} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${member.token}`, ...headers, '', ''].join('\r\n');

/** Sends a byte from time to time until the connection is closed. */
function drip(socket: Socket, byte: string): void {
  const timer = setInterval(() => socket.write(byte), 50);
  socket.once('close', () => clearInterval(timer));
}

describe('an incomplete request is rejected, and its connection closed:', () => {
  test.each([
    ['a head that stops', 'GET /api/customers HTTP/1.1\r\nHost: local', ''],
    ['a head that drips', 'GET /api/customers HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', 'x'],
    ['a head of ever more lines', 'GET /api/customers HTTP/1.1\r\nHost: localhost\r\n', 'X: y\r\n'],
    ['a body of somebody unknown that drips', 'POST /api/apps HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\n', 'x'],
  ])('%s', async (_what, begin, rest) => {
    const { socket, closed, until } = await open();
    socket.write(begin);
    if (rest) drip(socket, rest);
    await closed;
    expect(await until('')).toMatch(/^HTTP\/1\.1 40[01] /);
  });

  test.each(['Content-Length: 9999', 'Transfer-Encoding: chunked'])('a body that drips: %s', async (framing) => {
    const { socket, closed, until } = await open();
    socket.write(head('PUT /api/organizations/1', 'Content-Type: application/json', framing));
    drip(socket, framing.startsWith('C') ? ' ' : '1\r\n \r\n');
    await closed;
    expect(await until('')).toContain('HTTP/1.1 400');
  });
});

test('1,000 idle connections are closed, and other requests succeed meanwhile', async () => {
  const idle = await Promise.all(
    Array.from({ length: 1_000 }, async () => {
      const socket = connect(service.port, '127.0.0.1');
      // Some connections arrive while the server closes.
      socket.on('error', () => undefined).resume();
      await once(socket, 'connect');
      return { socket, closed: new Promise((resolve) => socket.once('close', resolve)) };
    }),
  );
  expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
  await Promise.all(idle.map(({ closed }) => closed));
  expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
});

describe('a response that the client does not read', () => {
  test.each([
    ['a file', () => `/api/attachments/${fileId}`],
    ['a page for which nobody has to say who they are', () => '/docs/scalar.js'],
  ])('is aborted with its connection: %s', async (_what, path) => {
    const socket = connect(service.port, '127.0.0.1');
    socket.on('error', () => undefined).pause();
    await once(socket, 'connect');
    // Much more than the buffers of the operating system hold.
    socket.write(head(`GET ${path()}`).repeat(8));
    const before = lines.length;
    await expect.poll(() => lines.slice(before).join('')).toContain('"aborted":true');
    // Nothing arrives after what was sent before.
    let received = 0;
    socket.on('data', (chunk) => (received += chunk.length)).resume();
    await once(socket, 'close');
    expect(received).toBeGreaterThan(0);
    expect(received).toBeLessThan(8 * 4_000_000);
  });
});
