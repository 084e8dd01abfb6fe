import { globSync } from 'node:fs';
import { installTools } from '../deploy/tools.ts';
import { installGoProgram } from '../go-program.ts';
import { root, run } from './command.ts';
import { installGo } from './go.ts';
import { npmScript } from './npm-script.ts';
import type { Outcome } from './steps.ts';

const actionlint = { name: 'actionlint', path: 'github.com/rhysd/actionlint/cmd/actionlint', version: 'v1.7.12' };

/** `npm run test:deploy`, with programs that are built before. */
export async function testDeploy(): Promise<Outcome> {
  await installGo();
  await installTools();
  return npmScript('test:deploy');
}

/** Lints the workflows of GitHub. */
export async function lintWorkflows(): Promise<void> {
  await installGo();
  await run(await installGoProgram(actionlint), globSync('.github/workflows/*.yml', { cwd: root }));
}
