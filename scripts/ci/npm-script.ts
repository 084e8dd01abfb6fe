import { machinePath, output } from './command.ts';
import type { Outcome } from './steps.ts';

/**
 * Runs one of the long tests as a user does, on the machine's own Node. Its last line says how many tests passed and failed.
 * @param env variables that the test gets besides those of this process
 */
export async function npmScript(name: string, args: string[] = [], env: Record<string, string> = {}): Promise<Outcome> {
  const { code, lastLine } = await output('npm', ['run', name, '--', ...args], { env: { ...env, PATH: machinePath } });
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(lastLine) ?? [];
  if (passed === undefined || failed === undefined)
    throw new Error(`${name} exited with ${code} without the closing line "N passed, N failed"`);
  return { passed: Number(passed), failed: code === 0 ? Number(failed) : Math.max(Number(failed), 1) };
}
