import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus, setPriority } from 'node:os';

/** The processors of the machine: one for the server that is measured, the others for PostgreSQL and the load generator. */
const last = cpus().length - 1;
const processors = { server: '0', others: `1-${last}`, all: `0-${last}` };
const canPin = last > 0 && hasTaskset();

/** The command that runs a program on the processor of the measured server. Without taskset, the kernel chooses the processor. */
export const onServerProcessor = (command: string[]): string[] => (canPin ? ['taskset', '-c', processors.server, ...command] : command);

/** Moves processes and their descendants away from the processor of the measured server, or back to all processors. */
export function moveProcesses(pids: readonly number[], to: 'others' | 'all'): void {
  if (!canPin) return;
  for (const pid of pids.flatMap((each) => [each, ...descendantsOf(each)])) {
    // A process may have ended.
    if (isRunning(pid)) execFileSync('taskset', ['-a', '-c', '-p', processors[to], String(pid)], { stdio: 'ignore' });
  }
}

/** Lets other processes run before this one and its descendants. Only root can undo it. @param priority up to 19, the lowest */
export function lowerPriority(pid: number, priority = 10): void {
  for (const each of [pid, ...descendantsOf(pid)]) {
    try {
      setPriority(each, priority);
    } catch (error) {
      // A process may have ended.
      if (isRunning(each)) throw error;
    }
  }
}

function descendantsOf(pid: number): number[] {
  const children = childrenOf(pid);
  return [...children, ...children.flatMap(descendantsOf)];
}

/** The processes whose parent is `pid`. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) && parentOf(name) === pid ? [Number(name)] : []));
}

/** The parent of a process; undefined if the process has ended. */
export function parentOf(pid: number | string): number | undefined {
  const fields = statOf(pid);
  return fields && Number(fields[1]);
}

/** The fields of /proc/PID/stat from `state` on; undefined if the process has ended. */
export function statOf(pid: number | string): string[] | undefined {
  try {
    // The name of the program, in parentheses, may contain spaces.
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .trim()
      .split(' ');
  } catch {
    return undefined;
  }
}

const isRunning = (pid: number): boolean => statOf(pid) !== undefined;

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
