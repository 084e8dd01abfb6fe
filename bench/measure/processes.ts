import { median } from '../load/statistics.ts';
import type { Options } from '../options.ts';
import type { Server } from '../servers/server.ts';
import type { Environment } from '../servers/environment.ts';

const counts = [1, 2];
const connections = 16;
const size = 'small';
const work = 'get by id';

/** What the service achieves with several processes. */
export interface ProcessesResult {
  processes: number;
  /** Gets by id per second: the median over the rounds. */
  perSecond: number;
}

/** Measures the throughput of one and of two processes alternately. Service, PostgreSQL and load generator share all processors. */
export async function measureProcesses(environment: Environment, { rounds, seconds }: Options): Promise<ProcessesResult[]> {
  await using servers = new AsyncDisposableStack();
  const start = async (processes: number): Promise<{ processes: number; server: Server; results: number[] }> => {
    const options = { settings: { WEB_CONCURRENCY: String(processes) }, onAllProcessors: true };
    const server = servers.adopt(await environment.startAnother('service', size, options), ({ stop }) => stop());
    return { processes, server, results: [] };
  };
  const sides = await Promise.all(counts.map(start));
  environment.moveOthers('all');
  try {
    const { postmaster } = environment.postgres;
    const world = await environment.worldOf(size);
    for (let round = 0; round < rounds; round += 1) {
      for (const { server, results } of sides) {
        const window = { work, world, port: server.port, server: server.pid, postmaster, connections, warmSeconds: 0.5, seconds };
        results.push((await environment.generator.run(window)).perSecond);
      }
    }
  } finally {
    environment.moveOthers('others');
  }
  return sides.map(({ processes, results }) => ({ processes, perSecond: median(results) }));
}
