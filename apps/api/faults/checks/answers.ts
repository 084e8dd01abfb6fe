import { alwaysAllowed } from '../fault.ts';
import type { Seen } from '../load/attempts.ts';

/** Returns the outcomes that the fault does not allow. */
export const checkAnswers = (outcomes: ReadonlyMap<string, Seen>, allowed: readonly string[]): string[] =>
  [...outcomes]
    .filter(([outcome]) => !alwaysAllowed.includes(outcome) && !allowed.includes(outcome))
    .map(([outcome, { count, longestMs }]) => `callers saw "${outcome}" ${count} times, after up to ${Math.round(longestMs)} ms`);
