import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface ServiceProcess {
  url: string;
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
  const env = { PATH: process.env['PATH'], ...environment, LOG_LEVEL: 'info' };
  const child = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  for await (const line of createInterface(child.stdout)) {
    const { msg, port } = JSON.parse(line) as { msg?: string; port?: number };
    if (msg !== 'listening') continue;
    return {
      url: `http://localhost:${port}`,
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
  throw new Error('the service ended before it listened');
}
