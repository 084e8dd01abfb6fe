import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { installVersitygw } from './versitygw.ts';

export interface Gateway {
  /** The service's settings for it. */
  settings: Record<string, string>;
  stop(): Promise<void>;
}

const startMs = 20_000;

/** Starts an S3 gateway over a temporary folder, with one bucket. */
export async function startGateway(): Promise<Gateway> {
  const program = await installVersitygw();
  const folder = await mkdtemp(join(tmpdir(), 'profile-service-versitygw-'));
  const bucket = 'profile-service';
  // A bucket is a folder. Metadata lies in files, since not every file system has extended attributes.
  await mkdir(join(folder, 'objects', bucket), { recursive: true });
  await mkdir(join(folder, 'metadata'));
  const [accessKey, secret] = ['storage-test', randomBytes(20).toString('hex')];
  const port = await freePort();
  const args = ['--port', `127.0.0.1:${port}`, '--health', '/health', '--quiet', 'posix', '--sidecar', join(folder, 'metadata')];
  const child = spawn(program, [...args, join(folder, 'objects')], {
    env: { ROOT_ACCESS_KEY: accessKey, ROOT_SECRET_KEY: secret },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true });
  };
  const endpoint = `http://127.0.0.1:${port}`;
  try {
    await answers(`${endpoint}/health`, child);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    settings: {
      STORAGE_ENDPOINT: endpoint,
      STORAGE_BUCKET: bucket,
      STORAGE_ACCESS_KEY_ID: accessKey,
      STORAGE_SECRET_ACCESS_KEY: secret,
    },
    stop,
  };
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  const end = Date.now() + startMs;
  while (child.exitCode === null && Date.now() < end) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    await pause(50);
  }
  throw new Error(`versitygw ${child.exitCode === null ? `did not answer within ${startMs} ms` : `ended with ${child.exitCode}`}`);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await once(probe.close(), 'close');
  return port;
}
