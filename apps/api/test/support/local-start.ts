import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createProfileClient, type ProfileClient } from '@profile-service/client';
import { demoPassword } from '../../local/people.ts';
import { inherited } from './process.ts';

const program = fileURLToPath(new URL('../../local/start.ts', import.meta.url));

/** `npm start` after its install: what it printed, and ways to end it. */
export interface LocalStart {
  child: ChildProcess;
  /** Standard output once the banner is complete. */
  banner: string;
  /** The exit code and what it wrote to standard error, once it has ended. */
  ended: Promise<{ code: number | null; errors: string }>;
}

/** Spawns a start with these settings and none of this process. */
export function spawnLocalStart(settings: Record<string, string>): Pick<LocalStart, 'child' | 'ended'> {
  const env = { ...inherited, ...settings };
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const errors = child.stderr ? text(child.stderr) : Promise.resolve('');
  const ended = once(child, 'exit').then(async ([code]) => ({ code: code as number | null, errors: await errors }));
  return { child, ended };
}

/** Starts and waits for the end of the banner. Throws with its errors where it ends before. */
export async function localStart(settings: Record<string, string>): Promise<LocalStart> {
  const { child, ended } = spawnLocalStart(settings);
  let banner = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (data: Buffer) => {
      banner += data.toString();
      if (banner.includes('Ctrl-C stops everything')) resolve();
    });
    void ended.then(({ errors }) => reject(new Error(`The start ended:\n${errors}`)));
  });
  return { child, banner, ended };
}

/** The process of the embedded PostgreSQL on the data; undefined where there is none. */
export async function postgresOn(dataDir: string): Promise<number | undefined> {
  const file = await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(file.split('\n')[0]);
  return pid > 0 && isRunning(pid) ? pid : undefined;
}

/** Whether a process lives. One that has ended does not, also where nobody collects it: in a container the first process often does not. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** A port after which there is another one for the identity provider. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = probe.address() as AddressInfo;
  await promisify(probe.close.bind(probe))();
  return free < 65_535 ? free : freePort();
}

/** The typed client of one of the demo people, at the addresses that the banner names. */
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
