import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createProfileClient, type ProfileClient } from '@profile-service/client';
import { demoPassword } from '../../local/people.ts';
import { inherited } from './process.ts';

const program = fileURLToPath(new URL('../../local/start.ts', import.meta.url));

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

/** Returns the process id of the PostgreSQL that runs on the data; undefined if there is none. */
export async function postgresOn(dataDir: string): Promise<number | undefined> {
  const file = await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(file.split('\n')[0]);
  return pid > 0 && isRunning(pid) ? pid : undefined;
}

/** Whether a process runs. A zombie does not count: in a container, the init process often does not reap it. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Logs a demo user in and returns their typed client. Uses the addresses in the banner. */
export async function login({ banner }: LocalStart, username: string): Promise<ProfileClient> {
  const [url, realm] = ['Profile service', 'Identity provider'].map((name) => new RegExp(`${name} +(\\S+)`).exec(banner)?.[1] ?? '') as [
    string,
    string,
  ];
  const form = { grant_type: 'password', client_id: 'web', username, password: demoPassword };
  const response = await fetch(`${realm}/protocol/openid-connect/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return createProfileClient({ url, token: () => token });
}
