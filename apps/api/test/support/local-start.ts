import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createProfileClient, type ProfileClient } from '@profile-service/client';
import type { LocalStart } from '../../../../test/local-start.ts';
import { logIn } from '../../local/log-in.ts';

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
  return createProfileClient({ url, token: await logIn(realm, username) });
}
