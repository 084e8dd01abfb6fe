import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { endWithParent } from '../../../../test/end-with-parent.ts';
import { inherited } from '../../../../test/inherited.ts';

interface LogLine {
  level: number;
  msg: string;
  port?: number;
  managementPort?: number;
  /** The step of a stop that failed. */
  step?: string;
  /** Of a request. */
  status?: number;
  err?: { stack: string };
}

export type ServiceProcess = Awaited<ReturnType<typeof startProcess>>;

const source = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** A process has ended before it listened. */
export class EarlyExitError extends Error {
  constructor(reason: number | NodeJS.Signals | null, lastLine: LogLine | undefined) {
    super(`The service exited with ${reason} before it listened. Its last log line: ${JSON.stringify(lastLine)}`);
  }
}

/**
 * Starts the production entry in a process. Resolves when it listens. On Linux the process ends with the test process: Vitest would otherwise wait for it.
 * @param launcher the command line before the program @throws EarlyExitError
 */
export async function startProcess(environment: Record<string, string>, entry: string = source, launcher: readonly string[] = []) {
  const env = { ...inherited, IDENTITY_AUDIENCE: '*', ...environment, LOG_LEVEL: 'info' };
  const [command, ...args] = [...endWithParent, ...launcher, process.execPath, entry];
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit').then(([code, signal]: (number | NodeJS.Signals | null)[]) => code ?? signal ?? null);
  const log: LogLine[] = [];
  // Read all output: a full pipe would block the service.
  const { port, managementPort } = await new Promise<LogLine>((resolve, reject) => {
    createInterface(child.stdout)
      .on('line', (text) => {
        const line = JSON.parse(text) as LogLine;
        log.push(line);
        if (line.msg === 'listening') resolve(line);
      })
      .on('close', () => void exited.then((reason) => reject(new EarlyExitError(reason, log.at(-1)))));
  });
  return {
    url: `http://localhost:${port}`,
    managementUrl: `http://localhost:${managementPort}`,
    /** The log lines so far. A test may empty the list. */
    log,
    pid: child.pid ?? 0,
    /** Resolves when the process has ended, with its exit code or the signal that ended it. */
    exited,
    /** Sends SIGKILL, which has the effect of a crash. */
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    /** Sends SIGTERM and returns the exit code. */
    async stop() {
      child.kill('SIGTERM');
      await exited;
      return child.exitCode;
    },
  };
}
