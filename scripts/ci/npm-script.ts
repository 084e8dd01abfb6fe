import { machinePath, output } from './command.ts';
import type { Outcome } from './steps.ts';

/** Runs one of the long tests as a user does, on the machine's own Node. Its last line says how many tests passed and failed. */
export const npmScript = (name: string, ...args: string[]): Promise<Outcome> => npmScriptWith({}, name, ...args);

/** As `npmScript`. @param env variables that the test gets besides those of this process */
export async function npmScriptWith(env: Record<string, string>, name: string, ...args: string[]): Promise<Outcome> {
  const { code, lastLine } = await output('npm', ['run', name, '--', ...args], { env: { ...env, PATH: machinePath() } });
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(lastLine) ?? [];
  if (passed === undefined || failed === undefined)
    throw new Error(`${name} exited with ${code} without the closing line "N passed, N failed"`);
  return { passed: Number(passed), failed: code === 0 ? Number(failed) : Math.max(Number(failed), 1) };
}
