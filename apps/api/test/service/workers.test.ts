import cluster from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { Workers } from '../../src/cluster/workers.ts';
import { createLog } from '../../src/observability/log.ts';

const worker = () => {
  const [running] = Object.values(cluster.workers ?? {});
  if (!running) throw new Error('There is no worker');
  return running;
};

test('a worker is replaced and stopped, although a message to it could not be sent', async () => {
  cluster.setupPrimary({ exec: fileURLToPath(new URL('../support/listening-worker.ts', import.meta.url)), execArgv: [], args: [] });
  const workers = new Workers({ log: createLog('silent'), stopMs: 10_000, onEnd: () => undefined });
  await workers.start(1);
  const first = worker();
  // What Node emits if the worker has just ended.
  first.process.emit('error', new Error('the channel is closed'));
  first.process.kill('SIGKILL');
  const [second] = (await once(cluster, 'listening')) as [ReturnType<typeof worker>];
  expect(second.id).not.toBe(first.id);

  const stopped = workers.stop();
  second.process.emit('error', new Error('the channel is closed'));
  await stopped;
  expect(second.isDead()).toBe(true);
});
