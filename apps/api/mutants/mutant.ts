/** A replacement of a text in a file of the project. */
export interface Change {
  /** Path from the project's root. */
  file: string;
  /** Occurs in the file exactly once. */
  find: string;
  replace: string;
}

/** A change of the source that breaks a guarantee, and the test that has to fail on it. */
export interface Mutant {
  /** One, or several if more than one place keeps the guarantee: changing one of them alone would break nothing. */
  changes: readonly Change[];
  /** What an attacker could do in the changed service, as a sentence. */
  why: string;
  /** A test file, as a path from the project's root. Defaults to the isolation test. */
  test?: string;
}

/** Returns a function that declares mutants with one change in a file. */
export const inFile =
  (file: string) =>
  (why: string, find: string, replace: string, test?: string): Mutant => ({
    changes: [{ file, find, replace }],
    why,
    ...(test ? { test } : {}),
  });

/** The files that a mutant changes. */
export const filesOf = ({ changes }: Mutant): string[] => changes.map(({ file }) => file);
