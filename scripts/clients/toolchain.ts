import { spawnSync } from 'node:child_process';

/**
 * Throws unless the command succeeds.
 * @param missing what to install, as the beginning of a sentence  @param path the folders of programs, as in the variable PATH
 */
export function requireProgram(path: string, missing: string, program: string, ...args: string[]): void {
  if (spawnSync(program, args, { stdio: 'ignore', env: { ...process.env, PATH: path } }).status === 0) return;
  throw new Error(`${missing} is missing: \`${[program, ...args].join(' ')}\` fails. Install it, or leave the language out with CLIENTS.`);
}
