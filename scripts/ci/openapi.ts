import { run } from './command.ts';
import { installGo } from './go.ts';

/** Fails if the OpenAPI document has breaking changes that are not declared. */
export async function checkBreakingChanges(): Promise<void> {
  await installGo();
  await run('pnpm', ['openapi:breaking']);
}

/** Proves which breaking changes the check finds. */
export async function testBreakingChanges(): Promise<void> {
  await installGo();
  await run('vitest', ['run', '--config', 'vitest.proof.config.ts', '--project', 'oasdiff']);
}
