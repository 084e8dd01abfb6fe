/** The result of a part of the fuzz test. It counts endpoints, or passes of schemathesis. */
export interface Outcome {
  passed: number;
  /** Each failed case: what failed, with its seed, and the command that repeats it. */
  failures: readonly Failure[];
  /** How much was sent, for docs/test-results.md. */
  figures?: string;
}

export interface Failure {
  /** In one line: what failed, and how. */
  what: string;
  seed: number;
  /** Repeats the failure. */
  command: string;
}

/** The closing lines of a failure. */
export const describeFailure = ({ what, seed, command }: Failure): string => `FAILED ${what}, seed ${seed}\n  repeat it: ${command}`;
