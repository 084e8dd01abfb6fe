import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { SizeName } from '../data/size.ts';
import { atLeast, atMost, type Check } from '../load-test/check.ts';
import { memoryOf } from '../measure/memory.ts';
import { cpuTimeOf, postgresCpuTime } from '../servers/cpu-time.ts';
import type { Environment } from '../servers/environment.ts';
import { fullRows, type Options } from './options.ts';
import { hasEnded, newFile, type Target, upload, waitFor } from './files.ts';

export const size: SizeName = 'small';

/** What the suites use. */
export interface Bulk {
  environment: Environment;
  /** On the database of the service. */
  database: pg.Client;
  options: Options;
}

const warmUpRows = 20_000;
const settleMs = 3_000;
const mostMebibytes = 64;
const mebibyte = 2 ** 20;

/** What work has cost. */
export interface Cost {
  seconds: number;
  /** Seconds of processor time. */
  service: number;
  postgres: number;
  /** The largest resident memory above that of the idle service, in MiB. */
  mebibytes: number;
}

/**
 * Runs work on a service that has just started, on all processors. Before, it does a dry run: V8's space for new objects grows once, from 16 to about 50 MiB,
 * whatever the service does. What the work needs besides must not depend on the number of rows.
 */
export async function measured<T>(
  { environment, options }: Bulk,
  work: (target: Target) => Promise<T>,
): Promise<{ result: T; cost: Cost }> {
  const world = await environment.worldOf(size);
  const server = await environment.startAnother('service', size, { onAllProcessors: true });
  environment.moveOthers('all');
  const { postmaster } = environment.postgres;
  try {
    const target = { port: server.port, world };
    const { id } = await upload(target, newFile(Math.min(warmUpRows, options.rows)), true);
    await waitFor(target, id, hasEnded);
    await pause(settleMs);
    const idle = memoryOf(server.pid, 'VmRSS');
    // Sets the peak to the current value.
    writeFileSync(`/proc/${server.pid}/clear_refs`, '5');
    const used = () => [performance.now() / 1e3, cpuTimeOf(server.pid) / 1e6, postgresCpuTime(postmaster) / 1e6];
    const before = used();
    const result = await work(target);
    const [seconds = 0, service = 0, postgres = 0] = used().map((value, index) => value - (before[index] ?? 0));
    return { result, cost: { seconds, service, postgres, mebibytes: (memoryOf(server.pid, 'VmHWM') - idle) / mebibyte } };
  } finally {
    await server.stop();
  }
}

export const checkMemory = (name: string, { mebibytes }: Cost): Check =>
  atMost(`${name}: memory above that of the idle service`, mebibytes, mostMebibytes, 'MiB');

/** A speed has a limit only in a full run, which has the machine for itself. */
export const checkSpeed = (name: string, value: number, limit: number, unit: string, { rows }: Options): Check[] =>
  rows < fullRows ? [] : [atLeast(name, value, limit, unit)];

export const describe = (name: string, rows: number, { seconds, service, postgres, mebibytes }: Cost): string =>
  `${name}: ${rows} rows in ${seconds.toFixed(1)} s, ${(rows / seconds).toFixed(0)} rows per second, with ${service.toFixed(1)} s of the service and ${postgres.toFixed(1)} s of PostgreSQL; ${mebibytes.toFixed(0)} MiB`;
