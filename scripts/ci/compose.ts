import { hasDockerEngine } from '../compose/project.ts';
import { npmScript } from './npm-script.ts';
import type { Outcome } from './steps.ts';

/** Runs `npm run verify:compose`, if this machine has a Docker engine. */
export async function verifyCompose(...args: string[]): Promise<Outcome> {
  if (hasDockerEngine()) return npmScript('verify:compose', ...args);
  console.log('Not run: there is no Docker engine with compose v2');
  return { passed: 0, failed: 0 };
}
