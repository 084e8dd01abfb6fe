import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { WindowRequest, WindowResult } from './window.ts';

/** Sends requests from a process of its own, so that the work of the benchmark does not delay them. */
export interface Generator<Request, Result> {
  pid: number;
  /** Sends the requests of one message. Messages are processed one after the other. */
  run(request: Request): Promise<Result>;
  stop(): void;
}

export type LoadGenerator = Generator<WindowRequest, WindowResult>;

/** Starts a process that responds to messages. @param program calls `respondWith` */
export function startGenerator<Request extends object, Result>(program: string): Generator<Request, Result> {
  const child = fork(program, { serialization: 'advanced' });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The load generator ended')));
  // Expected after `stop`.
  ended.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    async run(request) {
      child.send(request);
      const [answer] = (await Promise.race([once(child, 'message'), ended])) as [{ result?: Result; error?: string }];
      if (!answer.result) throw new Error(`The load generator failed: ${answer.error}`);
      return answer.result;
    },
    stop: () => child.disconnect(),
  };
}

/** Runs each message of the process that started this one, and sends back the result. Ends with that process. */
export function respondWith<Request, Result>(run: (request: Request) => Promise<Result>): void {
  process.on('message', (message) => {
    run(message as Request).then(
      (result) => process.send?.({ result }),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
}
