import { readdirSync, readFileSync } from 'node:fs';
import { childrenOf, statOf } from './processors.ts';

/** A clock tick of /proc/PID/stat in microseconds: 10 ms on all platforms that this project supports. */
const tickMicroseconds = 10_000;

/** The CPU time that a process has used, with all its threads, in microseconds. */
export function cpuTimeOf(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    // schedstat has nanoseconds. stat has ticks of 10 ms, which is too coarse for a measurement of one second.
    return threads.reduce(
      (total, thread) => total + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1000,
      0,
    );
  } catch {
    const fields = statOf(pid) ?? [];
    return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * tickMicroseconds;
  }
}

/** The CPU time of a PostgreSQL server in microseconds: its processes, and those that have ended. */
export function postgresCpuTime(postmaster: number): number {
  const fields = statOf(postmaster) ?? [];
  const ended = (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) * tickMicroseconds;
  return childrenOf(postmaster).reduce((total, pid) => total + cpuTimeOf(pid), ended + cpuTimeOf(postmaster));
}
