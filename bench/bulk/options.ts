import { parseArgs } from 'node:util';

const usage = `usage: npm run proof -- bulk [option…]
  --only import|kills|export|others   one suite; may be repeated
  --rows N                            rows of the file, 1,000,000 by default; with fewer, no speed has a limit, and others does not run by itself
  --kills N                           how often the service is killed, 10 by default
  --record                            write the result to docs/run/figures.md`;

/** In the order in which they run: the export has the rows of the import. */
export const suiteNames = ['import', 'kills', 'export', 'others'] as const;
export type SuiteName = (typeof suiteNames)[number];

export const fullRows = 1_000_000;

export interface Options {
  suites: readonly SuiteName[];
  rows: number;
  kills: number;
}

/** Reads the command line without the flag `--record`. Prints the usage and exits if it is wrong. */
export function readOptions(args: string[]): Options {
  try {
    const { values } = parseArgs({
      args,
      options: {
        only: { type: 'string', multiple: true },
        rows: { type: 'string', default: String(fullRows) },
        kills: { type: 'string', default: '10' },
      },
    });
    const unknown = values.only?.find((name) => !suiteNames.some((known) => known === name));
    if (unknown !== undefined) throw new Error(`There is no suite ${unknown}`);
    const [rows, kills] = [values.rows, values.kills].map((text) => {
      if (!/^[1-9]\d*$/.test(text)) throw new Error(`Not a positive number: ${text}`);
      return Number(text);
    }) as [number, number];
    const isChosen = (name: SuiteName) => values.only?.includes(name) ?? (rows >= fullRows || name !== 'others');
    return { suites: suiteNames.filter(isChosen), rows, kills };
  } catch (error) {
    console.error(`${String(error)}\n${usage}`);
    return process.exit(2);
  }
}
