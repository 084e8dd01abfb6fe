/** What the closing line counts: endpoints, and what schemathesis was run as. */
export interface Outcome {
  passed: number;
  failed: number;
  /** How much was sent, for docs/test-results.md. */
  figures?: string;
}
