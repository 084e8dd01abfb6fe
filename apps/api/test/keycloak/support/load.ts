import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { type Actor, type Api, outcome } from '../../support/api.ts';

/** Requests that are sent until the test stops them or ends. */
export interface Load {
  /** How often each outcome has occurred so far: a status, or the code of a problem. */
  readonly outcomes: Record<string, number>;
  /** Stops after the running requests. Returns the outcomes. */
  stop(): Promise<Record<string, number>>;
}

interface LoadOptions {
  /** How many requests are sent at once. */
  clients?: number;
  /** The pause of a client between two requests, in milliseconds. */
  pauseMs?: number;
  /** Returns the body of a request. */
  body?: () => unknown;
}

/** Sends the same request over and over, from several clients at once. @param actor called for each request */
export function startLoad(
  { call }: Pick<Api, 'call'>,
  target: string,
  actor: () => Actor,
  { clients = 4, pauseMs = 2, body = () => undefined }: LoadOptions = {},
): Load {
  const outcomes: Record<string, number> = {};
  let running = true;
  const client = async () => {
    while (running) {
      const result = outcome(await call(actor(), target, body()));
      outcomes[result] = (outcomes[result] ?? 0) + 1;
      await pause(pauseMs);
    }
  };
  const done = Promise.all(Array.from({ length: clients }, client));
  const stop = async () => {
    running = false;
    await done;
    return outcomes;
  };
  // A test that fails does not stop it.
  onTestFinished(async () => void (await stop()));
  return { outcomes, stop };
}
