import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openEventStream } from '../../src/transports/http/event-stream.ts';

// Rules: STREAMS-8
test('a client that does not read keeps less than 1 MiB in memory, and is disconnected after 30 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const server = createServer().listen(0);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port).pause();
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  const stream = openEventStream(Object.assign(response, { locals: { context: {} } }) as never, { head: '\n', hasTypes: true, quiet: '' });
  const page = [{ type: 'user.created', json: 'x'.repeat(256 * 1024), position: { epoch: 1, transactionId: '1', sequence: 1 } }];
  let sent = 0;
  const sending = (async () => {
    for (; !response.destroyed; sent += 1) await stream.send(page);
  })();
  const isStuck = async () => {
    const before = sent;
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    return sent === before && response.writableNeedDrain;
  };
  await vi.waitFor(async () => expect(await isStuck()).toBe(true));
  expect(response.writableLength).toBeLessThan(1024 * 1024);
  vi.advanceTimersByTime(30_000);
  await sending;
  expect(response.destroyed).toBe(true);
});
