import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

export const parts = ['rows', 'schemathesis'] as const;
export type Part = (typeof parts)[number];

export interface Options {
  /** How long each part takes at most. */
  minutes: number;
  /** How many requests the rows get at most. */
  requests: number;
  seed: number;
  only: readonly Part[];
  /** Fuzzes this row alone. */
  row: string | undefined;
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
      row: { type: 'string' },
    },
  });
  const { row, only } = values;
  // Whoever says how many requests are wanted waits as long as they take.
  const [minutes, requests, seed] = [
    values.minutes ?? (values.requests ? 'Infinity' : '2'),
    values.requests ?? 'Infinity',
    values.seed,
  ].map(Number) as [number, number, number];
  if (Number.isNaN(minutes + requests) || !Number.isInteger(seed)) {
    throw new Error('--minutes and --requests want a number, --seed a whole one');
  }
  const chosen = parts.filter((part) => only === undefined || only === part);
  if (chosen.length === 0) throw new Error(`--only wants one of ${parts.join(', ')}`);
  return { minutes, requests, seed, only: row === undefined ? chosen : ['rows'], row };
}
