import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** What differs from this process: the folder, variables (undefined takes one away). */
interface Surroundings {
  cwd?: string;
  env?: Record<string, string | undefined>;
}

/** Runs a program to its end, with its output shown and nothing to read, and answers its exit code. */
export const exitCode = (command: string, args: string[], surroundings?: Surroundings): Promise<number> =>
  ended(start(command, args, 'inherit', surroundings));

/** Runs a program to its end, with its output shown; answers its exit code and the last line that it printed. */
export async function output(command: string, args: string[], surroundings?: Surroundings): Promise<{ code: number; lastLine: string }> {
  const child = start(command, args, 'pipe', surroundings);
  const [code, lastLine] = await Promise.all([ended(child), show(child.stdout as Readable)]);
  return { code, lastLine };
}

function start(command: string, args: string[], stdout: 'inherit' | 'pipe', { cwd = root, env = {} }: Surroundings = {}): ChildProcess {
  console.log(`$ ${[command, ...args].join(' ')}`);
  return spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', stdout, 'inherit'] });
}

/** The exit code of a program that ran to its end; 1 where a signal ended it. */
async function ended(child: ChildProcess): Promise<number> {
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/** Answers the last line that is not empty. */
async function show(text: Readable): Promise<string> {
  let lastLine = '';
  for await (const line of createInterface(text)) {
    console.log(line);
    if (line) lastLine = line;
  }
  return lastLine;
}

/** Runs a program to its end. Throws when it fails. */
export async function run(command: string, args: string[], surroundings?: Surroundings): Promise<void> {
  const code = await exitCode(command, args, surroundings);
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
}

/** The PATH of whoever started this, without the programs that the bootstrap puts before it. */
export const machinePath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.startsWith(root))
  .join(delimiter);
