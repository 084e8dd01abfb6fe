import { haveFilesChanged } from '../compose/changes.ts';
import { hasDockerEngine } from '../compose/project.ts';
import { proof } from './proof.ts';
import type { Outcome, Skipped } from './steps.ts';

/** Runs `npm run proof -- compose`, if this machine has a Docker engine. */
export async function verifyCompose(...args: string[]): Promise<Outcome | Skipped> {
  if (!hasDockerEngine()) return { skipped: 'there is no Docker engine with compose v2' };
  return proof('compose', ...args);
}

/** Runs `npm run proof -- compose`, if the deployment files differ from those of a commit. It then also upgrades from that commit. */
export async function verifyChangedCompose(commit: string): Promise<Outcome | Skipped> {
  if (!haveFilesChanged(commit)) return { skipped: `the deployment files are those of ${commit}` };
  return verifyCompose('--if-changed-since', commit);
}
