/** A change of the source that opens a hole, and what has to notice. */
export interface Mutant {
  /** From the project's root. */
  file: string;
  /** Stands in the file exactly once. */
  find: string;
  replace: string;
  /** What somebody could do then. */
  why: string;
  /** A test file, from the project's root. Absent: the isolation test. */
  test?: string;
}

/** The project's file under which the mutants of a theme lie. */
export const inFile =
  (file: string) =>
  (why: string, find: string, replace: string, test?: string): Mutant => ({ file, find, replace, why, ...(test ? { test } : {}) });
