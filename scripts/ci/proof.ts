import type { ProofName } from '../proof/proofs.ts';
import { machinePath, output } from './command.ts';
import type { Outcome } from './steps.ts';

/** Runs a proof as a user does, on the machine's own Node. Its last line says how many tests passed and failed. @param args its options */
export const proof = (name: ProofName, ...args: string[]): Promise<Outcome> => proofWith({}, name, ...args);

/** As `proof`. @param env variables that the proof gets besides those of this process */
export async function proofWith(env: Record<string, string>, name: ProofName, ...args: string[]): Promise<Outcome> {
  const { code, lastLine } = await output('npm', ['run', 'proof', '--', name, ...args], { env: { ...env, PATH: machinePath() } });
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(lastLine) ?? [];
  if (passed === undefined || failed === undefined)
    throw new Error(`${name} exited with ${code} without the closing line "N passed, N failed"`);
  return { passed: Number(passed), failed: code === 0 ? Number(failed) : Math.max(Number(failed), 1) };
}
