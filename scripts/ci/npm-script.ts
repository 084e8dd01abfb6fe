import { machinePath, output } from './command.ts';
import type { Outcome } from './steps.ts';

/** One of the project's own long tests, as a user runs it, on the machine's own Node. It says itself how many passed and failed, in its last line. */
export async function npmScript(name: string, ...args: string[]): Promise<Outcome> {
  const { code, lastLine } = await output('npm', ['run', name, '--', ...args], { env: { PATH: machinePath } });
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(lastLine) ?? [];
  if (passed === undefined || failed === undefined) throw new Error(`${name} ended with ${code}, and without its closing line`);
  return { passed: Number(passed), failed: code === 0 ? Number(failed) : Math.max(Number(failed), 1) };
}
