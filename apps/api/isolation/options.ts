import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

export type Options = ReturnType<typeof readOptions>;

/** Reads the arguments. Throws for an unknown one, and for one that is not a number. */
export function readOptions(args: string[]) {
  const { values } = parseArgs({
    args: args.filter((arg) => arg !== '--'),
    options: {
      // No new world begins after this time.
      minutes: { type: 'string', default: '3' },
      // Limit of steps.
      steps: { type: 'string', default: 'Infinity' },
      // Of the first world. Each further world adds one.
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      // Path and replay of a printed counterexample: runs only that one.
      path: { type: 'string' },
      replay: { type: 'string' },
      // Does not search for a smaller counterexample.
      'no-shrink': { type: 'boolean', default: false },
      // Connection string of a server that can create databases; absent: an embedded one.
      'database-server': { type: 'string' },
    },
  });
  const [minutes, steps, seed] = [values.minutes, values.steps, values.seed].map(Number) as [number, number, number];
  if (Number.isNaN(minutes + steps) || !Number.isInteger(seed))
    throw new Error('--minutes and --steps need a number, --seed a whole number');
  const { path, replay, 'no-shrink': noShrink, 'database-server': databaseServer } = values;
  return { minutes, steps, seed, path, replay, shrink: !noShrink, databaseServer };
}
