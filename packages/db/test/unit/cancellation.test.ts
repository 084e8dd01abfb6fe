import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listen } from '../../../../test/listen.ts';
import { type CancellableRequest, sendCancellable } from '../../src/connection/cancellation.ts';

/** Takes the place of PostgreSQL: accepts cancel requests only, each on a connection of its own. */
let server: Server;
let port: number;
/** Process ids of the cancel requests, and names of the reads that ended, in order. */
let events: (number | string)[];
let connections: number;
let mostConnections: number;

beforeEach(async () => {
  [events, connections, mostConnections] = [[], 0, 0];
  server = createServer((socket) => {
    mostConnections = Math.max(mostConnections, (connections += 1));
    socket.once('data', (request) => {
      events.push(request.readInt32BE(8));
      // Long enough for other cancel requests to arrive, if they are sent at once.
      setTimeout(() => {
        connections -= 1;
        socket.end();
      }, 20);
    });
  });
  port = await listen(server);
});
afterEach(() => void server.close());

/** A request whose client the test disconnects. */
function abortable() {
  const aborter = new AbortController();
  const { signal } = aborter;
  const request: CancellableRequest = {
    executors: new Map(),
    throwIfAborted: () => signal.throwIfAborted(),
    onAbort(listener) {
      signal.addEventListener('abort', listener);
      return () => signal.removeEventListener('abort', listener);
    },
  };
  return { request, abort: () => aborter.abort(new Error('aborted')) };
}

/** Starts a read whose statement runs in the backend with this process id until the test ends it. */
function startRead(processID: number) {
  const client = { host: '127.0.0.1', port, ssl: false, processID, secretKey: 1 } as unknown as pg.PoolClient;
  const { request, abort } = abortable();
  const statement = Promise.withResolvers<string>();
  const read = sendCancellable(client, request, () => statement.promise).finally(() => events.push(`${processID} ended`));
  read.catch(() => undefined);
  return { read, abort, end: () => statement.resolve('rows'), fail: statement.reject };
}

test('cancels every aborted read, at most two at once', async () => {
  const processIds = [1, 2, 3, 4, 5];
  const reads = processIds.map(startRead);
  for (const { abort } of reads) abort();
  await expect.poll(() => events.toSorted()).toEqual(processIds);
  expect(mostConnections).toBeLessThanOrEqual(2);
  for (const { fail } of reads) fail(new Error('canceling statement due to user request'));
  for (const { read } of reads) await expect(read).rejects.toThrow('canceling statement');
});

test('sends no cancel request for a statement that ended while the request waited for its turn', async () => {
  const [first, second, waiting, last] = [startRead(1), startRead(2), startRead(3), startRead(4)];
  for (const { abort } of [first, second, waiting, last]) abort();
  waiting.end();
  // The read returns without waiting for its turn.
  expect(await waiting.read).toBe('rows');
  expect(events).toEqual(['3 ended']);
  // The turn of the last read comes after that of the skipped one.
  await expect.poll(() => events).toContain(4);
  expect(events.toSorted()).toEqual([1, 2, '3 ended', 4]);
});

test('keeps the connection until its cancel request has completed', async () => {
  const { read, abort, end } = startRead(1);
  const connected = once(server, 'connection');
  abort();
  await connected;
  end();
  await read;
  expect(events).toEqual([1, '1 ended']);
});

test('sends no statement of an aborted request', async () => {
  const { request, abort } = abortable();
  abort();
  const send = vi.fn<() => Promise<string>>();
  await expect(sendCancellable({} as pg.PoolClient, request, send)).rejects.toThrow('aborted');
  expect(send).not.toHaveBeenCalled();
});
