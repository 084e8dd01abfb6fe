import type { Change } from './changes.ts';

/** A change of the source that breaks a guarantee, and the test that has to fail on it. */
export interface Mutant {
  /** What an attacker could do in the changed service, as a sentence. */
  why: string;
  /** One, or several if more than one place keeps the guarantee: changing one of them alone would break nothing. */
  changes: readonly Change[];
  /** A test file, as a path from the project's root. Undefined: the isolation test. */
  test: string | undefined;
}

/** Declares a mutant. The test defaults to the isolation test. */
export const mutant = (why: string, change: Change | readonly Change[], test?: string): Mutant => ({
  why,
  changes: [change].flat(),
  test,
});

/** The names of what a mutant changes. */
export const namesOf = ({ changes }: Mutant): string[] => [...new Set(changes.map(({ name }) => name))];
