import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

export interface Options {
  /** How long worlds are begun. */
  minutes: number;
  /** How many steps are played at most. */
  steps: number;
  /** The first world's; those after it count up. */
  seed: number;
  /** Of a counterexample, as it was printed: plays that one alone. */
  path: string | undefined;
  replay: string | undefined;
  /** Whether a counterexample is made smaller. */
  shrink: boolean;
  /** Connection string of a server on which databases can be made; absent: an embedded one. */
  databaseServer: string | undefined;
}

/** Reads the arguments. Throws where one of them is unknown or no number. */
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
  if (Number.isNaN(minutes + steps) || !Number.isInteger(seed)) throw new Error('--minutes and --steps want a number, --seed a whole one');
  const { path, replay, 'no-shrink': noShrink, 'database-server': databaseServer } = values;
  return { minutes, steps, seed, path, replay, shrink: !noShrink, databaseServer };
}
