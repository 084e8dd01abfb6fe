import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** The processors of the machine: one for the server that is measured, the others for PostgreSQL and the load generator. */
const processors = { server: '0', others: availableParallelism() > 1 ? `1-${availableParallelism() - 1}` : '0' };
const canPin = availableParallelism() > 1 && hasTaskset();

/** The command that runs a program on the processor of the measured server. Without taskset, the kernel chooses the processor. */
export const onServerProcessor = (command: string[]): string[] => (canPin ? ['taskset', '-c', processors.server, ...command] : command);

/** Moves a process and its descendants to the other processors. */
export function moveToOtherProcessors(pid: number): void {
  if (!canPin) return;
  for (const each of [pid, ...descendantsOf(pid)]) {
    // A process may have ended.
    if (isRunning(each)) execFileSync('taskset', ['-a', '-c', '-p', processors.others, String(each)], { stdio: 'ignore' });
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
