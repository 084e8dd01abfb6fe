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
  /** What it has logged up to now; begins anew when it is emptied. */
  readonly log: LogLine[];
  /** Of the operating system. */
  pid: number;
  /** Ends it as a crash would: at once, with whatever it was doing. */
  kill(): Promise<void>;
  /** Asks it to end, as a platform does, and answers its exit code. */
  stop(): Promise<number | null>;
}

const source = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/**
 * Starts the production entry as a process of its own and resolves when it listens.
 * @param environment its settings  @param entry the program; the source unless told
 */
export async function startProcess(environment: Record<string, string>, entry: string = source): Promise<ServiceProcess> {
  const env = { PATH: process.env['PATH'], IDENTITY_AUDIENCE: '*', ...environment, LOG_LEVEL: 'info' };
  const child = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const log: LogLine[] = [];
  // Read to the end: a full pipe would stop the service.
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
