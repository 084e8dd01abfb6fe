import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { cpuOf } from './cpu.ts';
import type { Variant } from './variants.ts';
import type { Reader } from './world.ts';

/** Processor time, of the service itself and of the PostgreSQL processes behind its connections. */
export interface Cpu {
  service: number;
  postgres: number;
}

/** The service that is measured: a process of its own, as in production. */
export interface MeasuredService {
  /** Nanoseconds up to now. */
  cpu(): Promise<Cpu>;
  /** From now on it asks in this way. */
  becomes(variant: Variant): Promise<void>;
  /** Makes a GET as this reader. Throws unless it is answered 200. */
  read(path: string, reader: Reader): Promise<Buffer>;
  stop(): Promise<void>;
}

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const giveScope = new URL('give-scope.ts', import.meta.url).href;

/** Starts the production entry with `give-scope.ts` preloaded. @param backends gives the ids of its PostgreSQL processes */
export async function startMeasured(environment: Record<string, string>, backends: () => Promise<number[]>): Promise<MeasuredService> {
  const env = { ...environment, LOG_LEVEL: 'info' };
  const child = spawn(process.execPath, ['--import', giveScope, main], { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const port = await portOf(child);
  const agent = new Agent({ keepAlive: true });
  return {
    cpu: async () => ({ service: await cpuOf([child.pid ?? 0]), postgres: await cpuOf(await backends()) }),
    async becomes(variant) {
      child.send(variant);
      await once(child, 'message');
    },
    async read(path, { bearer }) {
      const sent = request({ port, path, agent, headers: { authorization: `Bearer ${bearer}` } }).end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      const body = await buffer(answer);
      if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${body.toString()}`);
      return body;
    },
    async stop() {
      agent.destroy();
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    if (!child.stdout) throw new Error('no output');
    createInterface(child.stdout)
      .on('line', (line) => {
        const { level, msg, port } = JSON.parse(line) as { level: number; msg: string; port?: number };
        if (level >= 50) console.error(line);
        if (msg === 'listening' && port) resolve(port);
      })
      .on('close', () => reject(new Error('the service ended before it listened')));
  });
}
