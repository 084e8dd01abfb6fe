import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithParent } from './end-with-parent.ts';
import { freePort } from './free-port.ts';

/** A Redis server of one test, which the test can stop and pause. */
export interface TestRedis {
  url: string;
  /** Starts it again at the same address, with the data that it stopped with. */
  start(): Promise<void>;
  /** Stops it. @param data whether the next start finds the current data or an empty server */
  stop(data: 'keep' | 'lose'): Promise<void>;
  /** Makes it accept connections without responding until `resume`. */
  pause(): void;
  resume(): void;
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
}

/** Options of a server as docker-compose.yml sets them: without persistence, and with a limit of memory. */
export const asInCompose = ['--save', '', '--maxmemory', '256mb', '--maxmemory-policy', 'volatile-lru'];

/**
 * Starts a server on a free port.
 * @param program path of `redis-server` or `valkey-server`  @param options more options of the server; by default it keeps its data when it stops
 */
export async function startRedis(program: string, options: string[] = []): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'profile-redis-'));
  const port = await freePort();
  // Redis saves its data on SIGTERM only.
  const args = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--dbfilename',
    'data.rdb',
    '--save',
    '86400 1',
    ...options,
  ];
  let child: ChildProcess | undefined;

  const self: TestRedis = {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const [command = program, ...rest] = [...endWithParent, program, ...args];
      child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
      let log = '';
      for await (const text of child.stdout ?? []) {
        log += String(text);
        if (log.includes('Ready to accept connections')) return void child.stdout?.resume();
      }
      throw new Error(`${program} exited:\n${log}`);
    },
    async stop(data) {
      const running = child;
      child = undefined;
      if (!running) return;
      const ended = new Promise((resolve) => running.once('exit', resolve));
      running.kill('SIGCONT');
      running.kill(data === 'keep' ? 'SIGTERM' : 'SIGKILL');
      await ended;
      if (data === 'lose') await rm(join(folder, 'data.rdb'), { force: true });
    },
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async remove() {
      await self.stop('lose');
      await rm(folder, { recursive: true });
    },
  };
  await self.start();
  return self;
}
