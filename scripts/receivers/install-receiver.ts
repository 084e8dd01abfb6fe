import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../test/eventually.ts';
import { machinePath, root, run } from '../ci/command.ts';
import type { Receiver } from './receiver.ts';

/** A receiver in a folder of its own. */
export interface InstalledReceiver {
  name: string;
  /** Starts it, and waits until it listens. @throws if it exits before */
  start(secret: string, port: number): Promise<RunningReceiver>;
  /** Deletes the folder. */
  remove(): Promise<void>;
}

export interface RunningReceiver {
  /** Returns what it has printed, when these are at least `count` lines. A receiver prints an event when it has sent the response. */
  lines(count: number): Promise<string[]>;
  stop(): Promise<void>;
}

/** Installs a receiver in a copy of its folder. */
export async function installReceiver(receiver: Receiver): Promise<InstalledReceiver> {
  const folder = await mkdtemp(join(tmpdir(), `profile-service-receiver-${receiver.folder}-`));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const env = { PATH: machinePath(), ...(await receiver.prepare?.()) };
    const own = /\/(node_modules|__pycache__|\.venv)$/;
    const source = join(root, 'examples/webhook-receivers', receiver.folder);
    await cp(source, folder, { recursive: true, filter: (path) => !own.test(path) });
    for (const [program, ...args] of receiver.install) await run(program, args, { cwd: folder, env });
    return { name: receiver.name, remove, start: (secret, port) => startReceiver(receiver, folder, env, secret, port) };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function startReceiver(
  receiver: Receiver,
  cwd: string,
  env: Record<string, string>,
  secret: string,
  port: number,
): Promise<RunningReceiver> {
  const [program, ...args] = receiver.start(port);
  const settings = { PORT: String(port), WEBHOOK_SECRET: secret };
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env, ...settings }, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  try {
    await eventually(async () => child.exitCode ?? (await fetch(`http://localhost:${port}/webhooks`)));
    if (child.exitCode !== null) throw new Error(`${receiver.name} exited with ${child.exitCode}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    async lines(count) {
      const printed = () => output.split('\n').filter((line) => line.includes(' organization.'));
      await eventually(() =>
        printed().length < count ? Promise.reject(new Error(`${receiver.name} printed "${output}"`)) : Promise.resolve(),
      );
      return printed();
    },
    stop,
  };
}
