/** What the closing line counts: rows, and what schemathesis was run as. */
export interface Outcome {
  passed: number;
  failed: number;
}
