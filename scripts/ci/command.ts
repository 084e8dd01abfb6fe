import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

interface CommandOptions {
  cwd?: string;
  /** Added to the environment of this process; undefined removes a variable. */
  env?: Record<string, string | undefined>;
}

/** Runs a program with its output shown and no input. Returns its exit code. */
export const exitCode = (command: string, args: string[], options?: CommandOptions): Promise<number> =>
  exitCodeOf(start(command, args, 'inherit', options));

/** Runs a program with its output shown. Returns its exit code and the last line that it printed. */
export async function output(command: string, args: string[], options?: CommandOptions): Promise<{ code: number; lastLine: string }> {
  const child = start(command, args, 'pipe', options);
  const [code, lastLine] = await Promise.all([exitCodeOf(child), show(child.stdout as Readable)]);
  return { code, lastLine };
}

function start(command: string, args: string[], stdout: 'inherit' | 'pipe', { cwd = root, env = {} }: CommandOptions = {}): ChildProcess {
  console.log(`$ ${[command, ...args].join(' ')}`);
  return spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', stdout, 'inherit'] });
}

/** Waits for the exit code; 1 when a signal ended the program. */
async function exitCodeOf(child: ChildProcess): Promise<number> {
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/** Prints the text as it arrives. Returns the last line that is not empty. */
async function show(text: Readable): Promise<string> {
  let lastLine = '';
  for await (const line of createInterface(text)) {
    console.log(line);
    if (line) lastLine = line;
  }
  return lastLine;
}

/** Runs a program with its output shown. Throws unless it exits with 0. */
export async function run(command: string, args: string[], options?: CommandOptions): Promise<void> {
  const code = await exitCode(command, args, options);
  if (code !== 0) throw new Error(`${command} exited with ${code}`);
}

/** Returns the PATH of this process without the tools that the project installs from npm. Go from `installGo` stays. */
export const machinePath = (): string =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !(folder.startsWith(root) && folder.endsWith('.bin')))
    .join(delimiter);
