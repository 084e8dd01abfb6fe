import { parseArgs } from 'node:util';

export interface Options {
  /** How long each fault lasts, in seconds. */
  seconds: number;
  /** Part of the title of the faults to run. */
  only: string;
  /** How long random faults run, in minutes; 0 runs each fault once. */
  randomMinutes: number;
}

/** Reads the arguments of `npm run proof -- faults`. @throws Error if one is unknown or wrong */
export function readOptions(args: string[]): Options {
  const option = (value: string) => ({ type: 'string', default: value }) as const;
  const { values } = parseArgs({ args, options: { seconds: option('5'), only: option(''), 'random-minutes': option('0') } });
  return { seconds: numberOf(values.seconds), only: values.only, randomMinutes: numberOf(values['random-minutes']) };
}

function numberOf(text: string): number {
  const value = Number(text);
  if (!(value >= 0 && value <= 1_440)) throw new Error(`${text} is not a number from 0 to 1440`);
  return value;
}
