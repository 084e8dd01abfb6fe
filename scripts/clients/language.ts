import type { ProgramName } from '../programs.ts';

/** A command of a language. Each counts as one test. */
export interface Step {
  /** What it does, such as `generate`. */
  name: string;
  command: [program: string, ...args: string[]];
  /** Prints a line for each check. Each check counts, instead of the step. The first group of the pattern is the result. */
  checks?: { line: RegExp; passed: string };
  /** What the output must contain. */
  prints?: readonly string[];
}

export interface Language {
  /** Folder in `examples`. */
  folder: string;
  /** File in `scripts/clients/checks`, and its path in the copy of the example. */
  checks: [file: string, path: string];
  /** Its toolchain. */
  programs: readonly ProgramName[];
  /** Installs what the steps need, and returns their environment variables. */
  prepare?(): Promise<Record<string, string>>;
  steps: readonly Step[];
}

/** Number of checks in each language. They are the same. */
export const checkCount = 7;

/** What each example prints. */
export const exampleOutput = [
  'The application sees 3 organizations.',
  'Downloaded 9 bytes',
  'Deleted: status 204.',
  'The organization is gone.',
  'Events: organization.created, organization.updated, organization.deleted.',
];
