import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createProfileClient, type ProfileClient } from '@profile-service/client';
import { duringTests } from '../../../../test/during-tests.ts';
import { fastFolder } from '../../../../test/fast-folder.ts';
import { freePortPair } from '../../../../test/free-port.ts';
import { localStart, type LocalStart } from '../../../../test/local-start.ts';
import { logIn } from '../../local/log-in.ts';

/**
 * Runs `npm start` with new demo data for the tests of a file or of a `describe`. `folder` is deleted after them; its subfolder `data` has the data.
 * `port` and `url` are those of the service. The identity provider is on the next port.
 */
export const useLocalStart = () =>
  duringTests(
    async () => {
      const folder = await mkdtemp(join(await fastFolder(), 'profile-start-'));
      const port = await freePortPair();
      const started = await localStart({ DATA_DIR: join(folder, 'data'), PORT: String(port) });
      return { ...started, folder, port, url: `http://localhost:${port}`, identityUrl: `http://localhost:${port + 1}` };
    },
    async ({ child, ended, folder }) => {
      child.kill('SIGINT');
      await ended;
      await rm(folder, { recursive: true });
    },
  );

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
  const addressOf = (name: string) => new RegExp(`${name} +(\\S+)`).exec(banner)?.[1] ?? '';
  return createProfileClient({ url: addressOf('Profile service'), token: await logIn(addressOf('Identity provider'), username) });
}
