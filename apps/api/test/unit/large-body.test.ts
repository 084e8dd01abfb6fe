import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listen } from '../../../../test/listen.ts';
import { writeLargeBody } from '../../src/transports/http/large-body.ts';

const chunkBytes = 100_000;
const count = 100;
const shared = Buffer.from('shared');

let chunks: Buffer[];
let server: Server;
let port: number;
/** The largest number of bytes that were written in one turn of the event loop. */
let mostBytes: number;
let writing: Promise<void>;
beforeEach(async () => {
  chunks = [shared, ...Array.from({ length: count }, (_, index) => Buffer.alloc(chunkBytes, index))];
  mostBytes = 0;
  server = createServer((_request, response) => {
    const { socket } = response.req;
    const measureTurn = (bytesBefore: number) => {
      mostBytes = Math.max(mostBytes, socket.bytesWritten - bytesBefore);
      if (!response.writableEnded) setImmediate(measureTurn, socket.bytesWritten);
    };
    measureTurn(0);
    writing = writeLargeBody(response, chunks).then(() => void response.end('end'));
    writing.catch(() => undefined);
  });
  port = await listen(server);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test('a large body is written in turns of the event loop, and a chunk is freed after them, except if it shares its memory', async () => {
  const expected = Buffer.concat([...chunks, Buffer.from('end')]);
  const response = await fetch(`http://127.0.0.1:${port}`);
  expect(Buffer.from(await response.arrayBuffer()).equals(expected)).toBe(true);
  expect(mostBytes).toBeLessThan(1_000_000);
  await expect.poll(() => chunks.slice(1).map(({ length }) => length)).toEqual(Array.from({ length: count }, () => 0));
  expect(shared.toString()).toBe('shared');
});

test('no chunk is freed if the client disconnects', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'data');
  socket.destroy();
  await expect(writing).rejects.toThrow('Premature close');
  expect(chunks.at(-1)?.length).toBe(chunkBytes);
});
