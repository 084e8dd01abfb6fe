import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { listen } from '../../../../test/listen.ts';
import { openSocket } from '../../src/client/open-socket.ts';

const server = createServer();
const port = await listen(server);
afterAll(() => void server.close());
const accepted = () => once(server, 'connection') as Promise<[Socket]>;

test('a connected socket with an address that is not allowed is closed before a byte is sent', async () => {
  const [seen, arrived] = [[] as string[], accepted()];
  const isAllowed = (address: string): boolean => seen.push(address) === 0;
  await expect(openSocket({ port, addresses: ['127.0.0.1'], isAllowed, timeoutMs: 10_000 })).rejects.toThrow('The address is not public');
  expect(seen).toEqual(['127.0.0.1']);
  const [socket] = await arrived;
  const received = await socket.toArray();
  expect(received).toEqual([]);
});

test('the next address is tried if one refuses the connection', async () => {
  const arrived = accepted();
  const socket = await openSocket({ port, addresses: ['127.0.0.2', '127.0.0.1'], isAllowed: () => true, timeoutMs: 10_000 });
  expect(socket.remoteAddress).toBe('127.0.0.1');
  socket.destroy();
  (await arrived)[0].destroy();
});
