import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

export const parts = ['endpoints', 'schemathesis'] as const;
export type Part = (typeof parts)[number];

export interface Options {
  /** How long schemathesis takes. */
  minutes: number;
  /** How long the endpoints take at most. */
  endpointMinutes: number;
  /** How many requests the endpoints get at most. */
  requests: number;
  seed: number;
  only: readonly Part[];
  /** Fuzzes this endpoint alone. */
  endpoint: string | undefined;
}

/** Reads the arguments. Throws where one of them is unknown or no number. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args: args.filter((arg) => arg !== '--'),
    options: {
      minutes: { type: 'string' },
      requests: { type: 'string' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      only: { type: 'string' },
      endpoint: { type: 'string' },
    },
  });
  const { endpoint, only } = values;
  const minutes = Number(values.minutes ?? '2');
  const requests = Number(values.requests ?? 'Infinity');
  const seed = Number(values.seed);
  // Whoever says how many requests are wanted waits as long as they take.
  const endpointMinutes = values.minutes === undefined && values.requests !== undefined ? Infinity : minutes;
  if (Number.isNaN(minutes + requests) || !Number.isInteger(seed)) {
    throw new Error('--minutes and --requests want a number, --seed a whole one');
  }
  const chosen = parts.filter((part) => only === undefined || only === part);
  if (chosen.length === 0) throw new Error(`--only wants one of ${parts.join(', ')}`);
  return { minutes, endpointMinutes, requests, seed, only: endpoint === undefined ? chosen : ['endpoints'], endpoint };
}
