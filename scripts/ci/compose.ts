import { spawnSync } from 'node:child_process';
import { npmScript } from './npm-script.ts';
import type { Outcome } from './steps.ts';

/** Runs `npm run verify:compose` if this machine has a Docker engine and CI_BASE, or else the previous commit, has other deployment files. */
export async function verifyComposeIfChanged(): Promise<Outcome> {
  if (spawnSync('docker', ['compose', 'ls'], { stdio: 'ignore' }).status !== 0) {
    console.log('Not run: there is no Docker engine with compose v2');
    return { passed: 0, failed: 0 };
  }
  return npmScript('verify:compose', '--if-changed-since', process.env['CI_BASE'] ?? 'HEAD^');
}
