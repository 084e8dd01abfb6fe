/** What came of a step: tests, or the step itself, counted. */
export interface Outcome {
  passed: number;
  failed: number;
}

/** By name, in their order. A step that answers nothing counts one; one that throws failed. */
export type Steps = Record<string, () => Promise<Outcome | void>>;

/** Runs every step, also after one that failed, and closes with a summary and the plain line `N passed, N failed`; the process exits with 1 where any failed. */
export async function runSteps(steps: Steps): Promise<Outcome> {
  const summary: string[] = [];
  const total: Outcome = { passed: 0, failed: 0 };
  for (const [name, step] of Object.entries(steps)) {
    console.log(`\n── ${name}`);
    const began = performance.now();
    const outcome = await outcomeOf(step);
    total.passed += outcome.passed;
    total.failed += outcome.failed;
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
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
