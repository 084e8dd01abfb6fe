import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../ci/command.ts';
import { freePortPair } from '../../test/free-port.ts';

/** A running `npm start`. */
export interface DemoService {
  url: string;
  tokenUrl: string;
  /** Stops it and deletes its data. */
  stop(): Promise<void>;
}

/** Starts the service with embedded dependencies and demo data on free ports, as `npm start` does. */
export async function startDemoService(): Promise<DemoService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'profile-service-clients-'));
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: String(await freePortPair()), DATA_DIR: dataDir };
  const child = spawn(process.execPath, [join(root, 'apps/api/local/start.ts')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  };
  let banner = '';
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    banner += String(text);
    if (banner.includes('Ctrl-C stops everything')) break;
  }
  child.stdout.resume();
  const address = (name: string): string => new RegExp(`${name} +(http\\S+)`).exec(banner)?.[1] ?? '';
  const url = address('Profile service');
  if (url) return { url, tokenUrl: `${address('Identity provider')}/protocol/openid-connect/token`, stop };
  await stop();
  throw new Error(`The service did not start:\n${banner}`);
}
