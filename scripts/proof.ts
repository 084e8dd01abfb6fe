import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './ci/command.ts';
import { installGo } from './ci/go.ts';
import { proof } from './ci/proof.ts';
import { runSteps } from './ci/steps.ts';
import { describeMissing, missingPrograms } from './programs.ts';
import { readArguments } from './proof/arguments.ts';
import { describeProofs, type ProofName, proofs } from './proof/proofs.ts';

/**
 * `npm run proof -- NAME… [options]`: runs long tests, each with the options. Before anything runs, it names all programs that are missing. The last line says how
 * many tests passed and failed. `--list` names the proofs, with their time and what they need.
 */
const { names, options, isList, error } = readArguments(process.argv.slice(2));
if (error !== undefined) fail(error);
if (isList) {
  console.log(describeProofs());
  process.exit();
}
try {
  const needed = names.flatMap((name) => proofs[name].needs(process.env));
  const missing = missingPrograms(needed);
  if (missing.length > 0) fail(describeMissing(missing));
  if (needed.includes('go')) await installGo();
  const [only, ...others] = names;
  if (only !== undefined && others.length === 0) await run(only);
  else await runSteps(Object.fromEntries(names.map((name) => [name, () => proof(name, ...options)])));
} catch (thrown) {
  fail(thrown instanceof Error ? thrown.message : thrown);
}

/** Runs the program of a proof in this process, so that it receives the signals. */
async function run(name: ProofName): Promise<void> {
  const { main, prepare } = proofs[name];
  await prepare?.();
  process.argv.splice(2, Infinity, ...options);
  await import(pathToFileURL(join(root, main)).href);
}

function fail(reason: unknown): never {
  console.error(reason);
  console.log('0 passed, 1 failed');
  process.exit(1);
}
