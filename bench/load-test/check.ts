/** A requirement, and what was measured. */
export interface Check {
  name: string;
  /** What the requirement allows. */
  limit: string;
  measured: string;
  passed: boolean;
}

/** The checks of one suite, and the figures that explain them. */
export interface SuiteResult {
  checks: Check[];
  figures: string[];
}

export const check = (name: string, limit: string, measured: string, passed: boolean): Check => ({ name, limit, measured, passed });

/** Passes if the value is at most the limit. */
export const atMost = (name: string, value: number, limit: number, unit: string, digits = 0): Check =>
  check(name, `at most ${limit} ${unit}`.trim(), `${value.toFixed(digits)} ${unit}`.trim(), value <= limit);

/** Passes if the value is at least the limit. */
export const atLeast = (name: string, value: number, limit: number, unit: string, digits = 0): Check =>
  check(name, `at least ${limit} ${unit}`.trim(), `${value.toFixed(digits)} ${unit}`.trim(), value >= limit);

export function printSuite(name: string, { figures, checks }: SuiteResult): void {
  console.log(`\n${name}`);
  for (const figure of figures) console.log(`  ${figure}`);
  for (const each of checks) console.log(`  ${each.passed ? 'ok    ' : 'FAILED'} ${each.name}: ${each.measured} (${each.limit})`);
}
