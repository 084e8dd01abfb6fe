import { parseArgs } from 'node:util';

const usage = `usage: npm run proof -- load [option…]
  --only overload|fairness|soak   one suite; may be repeated
  --minutes N                     length of the soak, 15 by default
  --record                        write the results to docs/run/figures.md`;

/** In the order in which they run: the soak is the last, because it leaves many dead rows, which nothing vacuums. */
export const suiteNames = ['overload', 'fairness', 'soak'] as const;
export type SuiteName = (typeof suiteNames)[number];

export interface Options {
  suites: readonly SuiteName[];
  minutes: number;
}

/** Reads the command line without the flag `--record`. Prints the usage and exits if it is wrong. */
export function readOptions(args: string[]): Options {
  try {
    const { values } = parseArgs({
      args,
      options: { only: { type: 'string', multiple: true }, minutes: { type: 'string', default: '15' } },
    });
    const unknown = values.only?.find((name) => !suiteNames.some((known) => known === name));
    if (unknown !== undefined) throw new Error(`There is no suite ${unknown}`);
    const minutes = Number(values.minutes);
    if (!(minutes > 0)) throw new Error(`Not a positive number: ${values.minutes}`);
    return { suites: suiteNames.filter((name) => values.only?.includes(name) ?? true), minutes };
  } catch (error) {
    console.error(`${String(error)}\n${usage}`);
    return process.exit(2);
  }
}
