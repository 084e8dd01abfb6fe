import { parseArgs } from 'node:util';
import { type InlineConfig, type Reporter, startVitest, type Vitest } from 'vitest/node';
import type { Outcome } from '../ci/steps.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Reads `--only TEXT`, which can be repeated: parts of the paths of test files. */
export const readFilters = (): string[] => parseArgs({ options: { only: { type: 'string', multiple: true, default: [] } } }).values.only;

/**
 * Runs the tests of projects. A skipped test counts as failed, because these suites have everything that their tests need.
 * @param filters parts of the paths of test files; none for all
 * @param options configuration of vitest; `config` names another file
 * @param interruption when aborted, the running tests end with their clean-up, and the others are skipped. Default: a signal ends the process at once
 */
export async function runVitest(
  filters: string[],
  options: InlineConfig & { config?: string; project?: string[] },
  interruption?: AbortSignal,
): Promise<Outcome> {
  const reporters = interruption === undefined ? {} : { reporters: ['default', cancelOn(interruption)] };
  const vitest = await startVitest(filters, { config: 'vitest.proof.config.ts', watch: false, ...reporters, ...options });
  await vitest.close();
  const modules = vitest.state.getTestModules();
  const states = modules.flatMap((module) => [...module.children.allTests()]).map((test) => test.result().state);
  const passed = states.filter((state) => state === 'passed').length;
  // A file that could not be read, or an error outside any test, fails no test.
  const others = modules.length === 0 || modules.some((module) => !module.ok()) || vitest.state.getUnhandledErrors().length > 0 ? 1 : 0;
  return { passed, failed: Math.max(states.length - passed, others) };
}

/** A reporter gets the instance of vitest before the tests start. */
function cancelOn(interruption: AbortSignal): Reporter {
  const own = new Map(signals.map((signal) => [signal, process.listeners(signal)]));
  return {
    onInit(vitest: Vitest) {
      // Vitest's own listeners end the process.
      for (const signal of signals)
        for (const listener of process.listeners(signal)) if (!own.get(signal)?.includes(listener)) process.off(signal, listener);
      const cancel = () => void vitest.cancelCurrentRun('keyboard-input');
      if (interruption.aborted) cancel();
      else interruption.addEventListener('abort', cancel);
    },
  };
}

/** Runs a suite, prints the closing line `N passed, N failed` and exits. A suite that throws counts as one failure. */
export async function closeWith(suite: () => Promise<Outcome>): Promise<never> {
  const outcome = await suite().catch((error: unknown): Outcome => {
    console.error(error instanceof Error ? error.message : error);
    return { passed: 0, failed: 1 };
  });
  console.log(`${outcome.passed} passed, ${outcome.failed} failed`);
  process.exit(outcome.failed > 0 ? 1 : 0);
}
