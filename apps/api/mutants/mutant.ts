/** A change of the source that breaks a guarantee, and the test that has to fail on it. */
export interface Mutant {
  /** Path from the project's root. */
  file: string;
  /** Occurs in the file exactly once. */
  find: string;
  replace: string;
  /** What an attacker could do in the changed service, as a sentence. */
  why: string;
  /** A test file, as a path from the project's root. Defaults to the isolation test. */
  test?: string;
}

/** Returns a function that declares mutants of one file. */
export const inFile =
  (file: string) =>
  (why: string, find: string, replace: string, test?: string): Mutant => ({ file, find, replace, why, ...(test ? { test } : {}) });
