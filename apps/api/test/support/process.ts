import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface LogLine {
  level: number;
  msg: string;
  port?: number;
}

export interface ServiceProcess {
  url: string;
  /** The log lines up to now. A test may empty the list. */
  readonly log: LogLine[];
  /** Process id. */
  pid: number;
  /** Kills it, as a crash would. */
  kill(): Promise<void>;
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>;
}

/** The environment that a new process gets from this one. */
export const inherited = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };

const source = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/**
 * Starts the production entry as a process of its own and resolves when it listens.
 * @param environment its settings  @param entry the program; the source unless told
 */
export async function startProcess(environment: Record<string, string>, entry: string = source): Promise<ServiceProcess> {
  const env = { ...inherited, IDENTITY_AUDIENCE: '*', ...environment, LOG_LEVEL: 'info' };
  const child = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const log: LogLine[] = [];
  // Reads everything: a full pipe would block the service.
  const port = await new Promise<number | undefined>((resolve, reject) => {
    createInterface(child.stdout)
      .on('line', (text) => {
        const line = JSON.parse(text) as LogLine;
        log.push(line);
        if (line.msg === 'listening') resolve(line.port);
      })
      .on('close', () => reject(new Error('the service ended before it listened')));
  });
  return {
    url: `http://localhost:${port}`,
    log,
    pid: child.pid ?? 0,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
      return child.exitCode;
    },
  };
}
