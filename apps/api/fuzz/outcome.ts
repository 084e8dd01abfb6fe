/** The result of a part of the fuzz test. It counts endpoints, or passes of schemathesis. */
export interface Outcome {
  passed: number;
  failures: readonly Failure[];
  /** How much was sent, for docs/run/figures.md. */
  figures?: string;
}

/** A failed case. */
export interface Failure {
  /** What failed, and how, in one line. */
  what: string;
  seed: number;
  /** The command that repeats the failure. */
  command: string;
}

/** The closing lines of a failure. */
export const describeFailure = ({ what, seed, command }: Failure): string => `FAILED ${what}, seed ${seed}\n  repeat: ${command}`;
