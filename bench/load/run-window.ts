import { cpuTimeOf, postgresCpuTime } from '../servers/cpu-time.ts';
import { findWork } from '../work/works.ts';
import { Connection } from './connection.ts';
import { quantile } from './statistics.ts';
import type { WindowRequest, WindowResult } from './window.ts';

/** Returns the next request of a kind of work. */
type Next = () => Buffer;

/** Sends the requests of one window, and measures them. CPU times are read while no request is running. */
export async function runWindow(request: WindowRequest, next: Next): Promise<WindowResult> {
  const { port, server, postmaster, warmSeconds, seconds, maxRequests } = request;
  const { status } = findWork(request.work);
  const connections = await Promise.all(Array.from({ length: request.connections }, () => Connection.open(port)));
  const send = (duration: number, limit?: number) => sendFor(connections, next, status, duration, limit);
  try {
    await send(warmSeconds, maxRequests);
    const cpu = () => ({ server: cpuTimeOf(server), postgres: postgresCpuTime(postmaster) });
    const before = cpu();
    const startedAt = performance.now();
    const times = await send(seconds, maxRequests);
    const elapsed = (performance.now() - startedAt) / 1000;
    const after = cpu();
    return {
      requests: times.length,
      perSecond: times.length / elapsed,
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      serverCpu: (after.server - before.server) / times.length,
      postgresCpu: (after.postgres - before.postgres) / times.length,
    };
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** Sends requests over all connections until the time is over and the last response has arrived. Returns the time of each. */
async function sendFor(connections: Connection[], next: Next, expected: number, seconds: number, limit = Infinity): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  let sent = 0;
  await Promise.all(
    connections.map(async (connection) => {
      for (let now = performance.now(); now < end && sent < limit;) {
        sent += 1;
        const status = await connection.send(next());
        if (status !== expected) throw new Error(`A response has the status ${status} instead of ${expected}`);
        const finished = performance.now();
        times.push(finished - now);
        now = finished;
      }
    }),
  );
  return times;
}
