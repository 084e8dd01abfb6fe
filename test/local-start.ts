import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { inherited } from './inherited.ts';

const program = fileURLToPath(new URL('../apps/api/local/start.ts', import.meta.url));

/** A running program of `npm start`. */
export interface LocalStart {
  child: ChildProcess;
  /** Standard output up to the end of the banner. */
  banner: string;
  /** Resolves with the exit code and standard error when the process exits. */
  ended: Promise<{ code: number | null; errors: string }>;
}

/** Spawns the program with these settings and none of this process. */
export function spawnLocalStart(settings: Record<string, string>): Pick<LocalStart, 'child' | 'ended'> {
  const env = { ...inherited, ...settings };
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const errors = child.stderr ? text(child.stderr) : Promise.resolve('');
  const ended = once(child, 'exit').then(async ([code]) => ({ code: code as number | null, errors: await errors }));
  return { child, ended };
}

/** Starts the program and waits for the end of the banner. Throws with its standard error if it exits before. */
export async function localStart(settings: Record<string, string>): Promise<LocalStart> {
  const { child, ended } = spawnLocalStart(settings);
  let banner = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (data: Buffer) => {
      banner += data.toString();
      if (banner.includes('Ctrl-C stops everything')) resolve();
    });
    void ended.then(({ errors }) => reject(new Error(`npm start exited:\n${errors}`)));
  });
  return { child, banner, ended };
}
