import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drain } from '../../src/transports/http/drain.ts';
import { clientLimits, createHttpServer, listen } from '../../src/transports/http/server.ts';
import { headOf, openConnection } from './connection.ts';

/** How long a draining server keeps an idle connection, in milliseconds. */
const idleMs = 1_000;

const limits = clientLimits({ HTTP_HEADERS_TIMEOUT_SECONDS: 10, HTTP_REQUEST_TIMEOUT_SECONDS: 60, HTTP_KEEP_ALIVE_TIMEOUT_SECONDS: 65 });

let server: Server;
let port: number;
/** The responses that the server has not sent, in the order of their requests. */
let responses: ServerResponse[];
beforeEach(async () => {
  responses = [];
  server = createHttpServer((request, response) => void responses.push((request.resume(), response)), 'http://docs.example', limits);
  port = await listen(server, 0, '127.0.0.1');
  // The connections keep the real time.
  vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
  server.closeAllConnections();
});

/** Opens a connection. `send` sends a request and waits until the server has it. */
async function open() {
  const connection = await openConnection(port);
  const send = async (): Promise<ServerResponse> => {
    const earlier = responses.length;
    connection.socket.write(`${headOf('POST /', {}, 'Content-Length: 2')}{}`);
    while (responses.length === earlier && !connection.socket.destroyed) await setImmediate();
    const response = responses[earlier];
    if (!response) throw new Error('The server has closed the connection');
    return response;
  };
  return { ...connection, send };
}

/** Ends the response as the service does, and waits until the server has closed it. */
async function end(response: ServerResponse): Promise<void> {
  const closed = once(response, 'close');
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/plain' });
  response.end('end');
  await closed;
}

test('a request that runs when the drain begins gets a response that closes its connection, however late', async () => {
  const { until, closed, send } = await open();
  const response = await send();
  const drained = drain(server, { drainMs: 7_000, idleMs });
  vi.advanceTimersByTime(3 * idleMs);
  await end(response);
  expect(await until('end')).toContain('\r\nconnection: close\r\n');
  await Promise.all([closed, drained]);
});

test('a connection whose response began before the drain can carry a request for a second after this response', async () => {
  const { until, closed, send } = await open();
  const response = await send();
  response.flushHeaders();
  expect(await until('\r\n\r\n')).toContain('\r\nConnection: keep-alive\r\n');
  const drained = drain(server, { drainMs: 7_000, idleMs });
  vi.advanceTimersByTime(3 * idleMs);
  await end(response);
  vi.advanceTimersByTime(idleMs - 1);
  await end(await send());
  expect(await until('\r\nconnection: close\r\n')).toContain('\r\nconnection: close\r\n');
  await Promise.all([closed, drained]);
});

test('connections that stay idle are closed after a second, also those that have never sent a request', async () => {
  const [unused, used] = [await open(), await open()];
  await end(await used.send());
  const drained = drain(server, { drainMs: 7_000, idleMs });
  vi.advanceTimersByTime(idleMs - 1);
  await setImmediate();
  expect([unused, used].map(({ socket }) => socket.destroyed)).toEqual([false, false]);
  vi.advanceTimersByTime(100);
  await Promise.all([unused.closed, used.closed, drained]);
});
