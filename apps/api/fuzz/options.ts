import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

export const parts = ['endpoints', 'schemathesis'] as const;
export type Part = (typeof parts)[number];

export interface Options {
  /** The duration of schemathesis. */
  minutes: number;
  /** The time limit of the endpoints. */
  endpointMinutes: number;
  /** The limit of requests to the endpoints. */
  requests: number;
  seed: number;
  only: readonly Part[];
  /** Fuzzes only this endpoint. */
  endpoint: string | undefined;
  /** Runs only this pass of schemathesis. */
  pass: string | undefined;
}

/** Reads the arguments. Throws for an unknown one, and for one that is not a number. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args: args.filter((arg) => arg !== '--'),
    options: {
      minutes: { type: 'string' },
      requests: { type: 'string' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      only: { type: 'string' },
      endpoint: { type: 'string' },
      pass: { type: 'string' },
    },
  });
  const { endpoint, only, pass } = values;
  const minutes = Number(values.minutes ?? '2');
  const requests = Number(values.requests ?? 'Infinity');
  const seed = Number(values.seed);
  // A number of requests without --minutes has no time limit.
  const endpointMinutes = values.minutes === undefined && values.requests !== undefined ? Infinity : minutes;
  if (Number.isNaN(minutes + requests) || !Number.isInteger(seed)) {
    throw new Error('--minutes and --requests need a number, --seed a whole number');
  }
  const chosen = parts.filter((part) => only === undefined || only === part);
  if (chosen.length === 0) throw new Error(`--only needs one of ${parts.join(', ')}`);
  return { minutes, endpointMinutes, requests, seed, only: endpoint === undefined ? chosen : ['endpoints'], endpoint, pass };
}
