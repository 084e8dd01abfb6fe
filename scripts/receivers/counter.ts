import type { Outcome } from '../ci/steps.ts';

/** Counts checks, and prints each. */
export class Counter {
  readonly outcome: Outcome = { passed: 0, failed: 0 };

  count(isPassed: boolean, text: string): void {
    this.outcome[isPassed ? 'passed' : 'failed'] += 1;
    console.log(`${isPassed ? 'ok    ' : 'FAILED'} ${text}`);
  }
}
