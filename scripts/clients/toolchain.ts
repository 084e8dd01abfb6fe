import { spawnSync } from 'node:child_process';
import { machinePath } from '../ci/command.ts';

/** Throws unless the command succeeds. @param missing what to install, as the beginning of a sentence */
export function requireProgram(missing: string, program: string, ...args: string[]): void {
  const { status } = spawnSync(program, args, { stdio: 'ignore', env: { ...process.env, PATH: machinePath } });
  if (status !== 0)
    throw new Error(
      `${missing} is missing: \`${[program, ...args].join(' ')}\` fails. Install it, or leave the language out with CLIENTS.`,
    );
}
