import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** What differs from this process: the folder, variables (undefined takes one away). */
interface Surroundings {
  cwd?: string;
  env?: Record<string, string | undefined>;
}

/** Runs a program to its end, with its output shown and nothing to read, and answers its exit code. */
export async function exitCode(command: string, args: string[], { cwd = root, env = {} }: Surroundings = {}): Promise<number> {
  console.log(`$ ${[command, ...args].join(' ')}`);
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/** Runs a program to its end, with its output shown; answers its exit code and the last line that it printed. */
export async function output(
  command: string,
  args: string[],
  { cwd = root, env = {} }: Surroundings = {},
): Promise<{ code: number; lastLine: string }> {
  console.log(`$ ${[command, ...args].join(' ')}`);
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  let lastLine = '';
  for await (const line of createInterface(child.stdout)) {
    console.log(line);
    if (line) lastLine = line;
  }
  if (child.exitCode === null) await once(child, 'exit');
  return { code: child.exitCode ?? 1, lastLine };
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
