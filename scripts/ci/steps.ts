/** The result of a step, as numbers of tests. */
export interface Outcome {
  passed: number;
  failed: number;
}

/** The steps by name, in order. A step without an outcome counts as one. A step that throws counts as one failure. */
export type Steps = Record<string, () => Promise<Outcome | void>>;

/** Runs all steps, also after a failure. Prints a summary and the line `N passed, N failed`, and sets exit code 1 if a step failed. */
export async function runSteps(steps: Steps): Promise<Outcome> {
  const summary: string[] = [];
  const total: Outcome = { passed: 0, failed: 0 };
  for (const [name, step] of Object.entries(steps)) {
    console.log(`\n── ${name}`);
    const startedAt = performance.now();
    const outcome = await outcomeOf(step);
    total.passed += outcome.passed;
    total.failed += outcome.failed;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    summary.push(`${outcome.failed > 0 ? 'FAILED' : 'ok    '} ${seconds.padStart(7)} s  ${name}`);
  }
  console.log(`\n${summary.join('\n')}\n\n${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed > 0 ? 1 : 0;
  return total;
}

async function outcomeOf(step: Steps[string]): Promise<Outcome> {
  try {
    return (await step()) ?? { passed: 1, failed: 0 };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1 };
  }
}
