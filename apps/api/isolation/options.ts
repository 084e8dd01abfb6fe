import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

export interface Options {
  /** No new world begins after this time. */
  minutes: number;
  /** Limit of steps. */
  steps: number;
  /** Of the first world. Each further world adds one. */
  seed: number;
  /** Path and replay of a printed counterexample: runs only that one. */
  path: string | undefined;
  replay: string | undefined;
  /** Whether to search for a smaller counterexample. */
  shrink: boolean;
  /** Connection string of a server that can create databases; absent: an embedded one. */
  databaseServer: string | undefined;
}

/** Reads the arguments. Throws for an unknown one, and for one that is not a number. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args: args.filter((arg) => arg !== '--'),
    options: {
      minutes: { type: 'string', default: '3' },
      steps: { type: 'string', default: 'Infinity' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      path: { type: 'string' },
      replay: { type: 'string' },
      'no-shrink': { type: 'boolean', default: false },
      'database-server': { type: 'string' },
    },
  });
  const [minutes, steps, seed] = [values.minutes, values.steps, values.seed].map(Number) as [number, number, number];
  if (Number.isNaN(minutes + steps) || !Number.isInteger(seed)) throw new Error('--minutes and --steps need a number, --seed a whole number');
  const { path, replay, 'no-shrink': noShrink, 'database-server': databaseServer } = values;
  return { minutes, steps, seed, path, replay, shrink: !noShrink, databaseServer };
}
