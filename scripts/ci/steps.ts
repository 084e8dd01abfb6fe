/** The result of a step, as numbers of tests. */
export interface Outcome {
  passed: number;
  failed: number;
}

/** The result of a step that did not run. */
export interface Skipped {
  /** Why it did not run. */
  skipped: string;
}

/**
 * The steps by name, in order. A step without an outcome counts as one. A step that throws counts as one failure. The name of a suite that can be left out is
 * in front of a colon: `storage: attachments on S3`.
 */
export type Steps = Record<string, () => Promise<Outcome | Skipped | void>>;

/**
 * Runs all steps, also after a failure. Prints a summary and the line `N passed, N failed`, and sets exit code 1 if a step failed. The line before the last one
 * names the steps that did not run.
 * @param skip names of suites to leave out
 */
export async function runSteps(steps: Steps, skip: readonly string[] = []): Promise<Outcome> {
  const suites = [...new Set(Object.keys(steps).map(suiteOf))].filter((suite) => suite !== undefined);
  const skipped: string[] = [];
  const summary: string[] = [];
  const total: Outcome = { passed: 0, failed: 0 };
  for (const [name, step] of Object.entries({ ...checkNames(suites, skip), ...steps })) {
    const suite = suiteOf(name);
    const isLeftOut = suite !== undefined && skip.includes(suite);
    if (!isLeftOut) console.log(`\n── ${name}`);
    const startedAt = performance.now();
    const outcome = isLeftOut ? { skipped: '' } : await outcomeOf(step);
    if ('skipped' in outcome) {
      const reason = outcome.skipped && ` (${outcome.skipped})`;
      skipped.push(`${suite ?? name}${reason}`);
      summary.push(`skipped            ${name}${reason}`);
      continue;
    }
    total.passed += outcome.passed;
    total.failed += outcome.failed;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    summary.push(`${outcome.failed > 0 ? 'FAILED ' : 'ok     '} ${seconds.padStart(7)} s  ${name}`);
  }
  const lines = skipped.length > 0 ? [...summary, '', `skipped: ${[...new Set(skipped)].join(', ')}`] : [...summary, ''];
  console.log(`\n${lines.join('\n')}\n${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed > 0 ? 1 : 0;
  return total;
}

/** Reads a list of suites, as in `CI_SKIP=keycloak,storage`. */
export const readSkip = (text = ''): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

const suiteOf = (name: string): string | undefined => /^([a-z]\w*): /.exec(name)?.[1];

/** Returns a step that fails if a name is unknown, or none. */
function checkNames(suites: readonly string[], skip: readonly string[]): Steps {
  const unknown = skip.filter((name) => !suites.includes(name));
  if (unknown.length === 0) return {};
  const message = `CI_SKIP names unknown suites: ${unknown.join(', ')}. The suites are ${suites.join(', ')}.`;
  return { CI_SKIP: () => Promise.reject(new Error(message)) };
}

async function outcomeOf(step: Steps[string]): Promise<Outcome | Skipped> {
  try {
    return (await step()) ?? { passed: 1, failed: 0 };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1 };
  }
}
