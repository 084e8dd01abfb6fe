import { setTimeout as pause } from 'node:timers/promises';
import type { SizeName } from './data/size.ts';
import { Connection } from './load/connection.ts';
import { readOptions } from './options.ts';
import { startEnvironment } from './servers/environment.ts';
import { encode } from './work/encode.ts';
import { findWork } from './work/works.ts';
import { describeDurations, timed } from '../test/durations.ts';

/**
 * `pnpm --filter @profile-service/bench bench:timeouts`: measures the service with several pool sizes under more load than it can serve: throughput, and the
 * duration of requests, of which the wait for a connection and the statements are parts. Then the duration of a stop under the same load.
 */
const size: SizeName = 'small';
/** Requests of one tenant and of a caller without a tenant. Each of the two may use half of the pool at once. */
const kinds = ['get by id', 'list of 20', 'list with a name filter', 'unscoped list', 'members of a tenant', 'create a contact'];
const poolSizes = [2, 5, 10, 20];
const connections = 64;
const seconds = 10;
/** Numbers of the requests that create records. */
let created = 1_000;

await using disposables = new AsyncDisposableStack();
const environment = await startEnvironment(readOptions([]), disposables, console.error);
await measure();

async function measure(): Promise<void> {
  for (const poolSize of poolSizes) {
    const options = { settings: { DATABASE_POOL_MAX: String(poolSize) }, onAllProcessors: true };
    const server = await environment.startAnother('service', size, options);
    environment.moveOthers('all');
    try {
      await load(server.port, 3);
      const { times, statuses } = await load(server.port, seconds);
      console.log(
        `DATABASE_POOL_MAX=${poolSize}: ${(times.length / seconds).toFixed(0)} requests/s, responses ${JSON.stringify(statuses)}`,
      );
      console.log(describeDurations({ name: `requests of ${connections} clients`, times }));
    } finally {
      await server.stop();
    }
  }
  const server = await environment.startAnother('service', size, { onAllProcessors: true });
  const running = load(server.port, 3).catch(() => undefined);
  const stops: number[] = [];
  await pause(2_000);
  await timed(stops, () => server.stop());
  await running;
  console.log(describeDurations({ name: 'stop under this load', times: stops }));
}

/** Sends requests of all kinds over all connections. */
async function load(port: number, duration: number) {
  const world = await environment.worldOf(size);
  const times: number[] = [];
  const statuses: Record<number, number> = {};
  const end = performance.now() + duration * 1000;
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      const connection = await Connection.open(port);
      for (let n = index; performance.now() < end; n += 1) {
        const { request } = findWork(kinds[n % kinds.length] ?? '');
        const status = await timed(times, () => connection.send(encode(request(world, (created += 1)))));
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
      connection.close();
    }),
  );
  return { times, statuses };
}
