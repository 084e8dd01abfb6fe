import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { startService } from '../src/service.ts';
import { readSettings } from '../src/settings.ts';

export interface MeasuredService {
  url: string;
  stop(): void;
}

/** Starts the service in a process of its own, so that the work of the benchmark does not delay it. */
export async function startMeasuredService(settings: Record<string, string>): Promise<MeasuredService> {
  const env = { ...process.env, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'silent', ...settings };
  const child: ChildProcess = fork(import.meta.filename, { env });
  const [url] = (await once(child, 'message')) as [string];
  return { url, stop: () => void child.kill() };
}

if (process.argv[1] === import.meta.filename) process.send?.((await startService(readSettings(process.env))).url);
