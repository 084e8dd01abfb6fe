import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { WindowRequest, WindowResult } from './window.ts';

/** Sends requests from a process of its own, so that the work of the benchmark does not delay them. */
export interface LoadGenerator {
  pid: number;
  /** Runs one window. Windows run one after the other. */
  run(request: WindowRequest): Promise<WindowResult>;
  stop(): void;
}

export function startLoadGenerator(): LoadGenerator {
  const child = fork(join(import.meta.dirname, 'process.ts'));
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The load generator ended')));
  // Expected after `stop`.
  ended.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    async run(request) {
      child.send(request);
      const [answer] = (await Promise.race([once(child, 'message'), ended])) as [{ result?: WindowResult; error?: string }];
      if (!answer.result) throw new Error(`${request.work}: ${answer.error}`);
      return answer.result;
    },
    stop: () => child.disconnect(),
  };
}
