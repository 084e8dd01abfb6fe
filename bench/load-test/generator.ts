import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { StreamsRequest, StreamsResult } from './stream.ts';

/** Sends streams from a process of its own. */
export interface StreamGenerator {
  pid: number;
  run(request: StreamsRequest): Promise<StreamsResult>;
  stop(): void;
}

export function startStreamGenerator(): StreamGenerator {
  const child = fork(join(import.meta.dirname, 'process.ts'), { serialization: 'advanced' });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The generator ended')));
  // Expected after `stop`.
  ended.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    async run(request) {
      child.send(request);
      const [answer] = (await Promise.race([once(child, 'message'), ended])) as [{ result?: StreamsResult; error?: string }];
      if (!answer.result) throw new Error(`The generator failed: ${answer.error}`);
      return answer.result;
    },
    stop: () => child.disconnect(),
  };
}
