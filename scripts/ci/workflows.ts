import { globSync } from 'node:fs';
import { installGoProgram } from '../go-program.ts';
import { root, run } from './command.ts';
import { installGo } from './go.ts';

const actionlint = { name: 'actionlint', path: 'github.com/rhysd/actionlint/cmd/actionlint', version: 'v1.7.12' };

/** Lints the workflows of GitHub. */
export async function lintWorkflows(): Promise<void> {
  await installGo();
  await run(await installGoProgram(actionlint), globSync('.github/workflows/*.yml', { cwd: root }));
}
