import { execFileSync } from 'node:child_process';
import { root } from './ci/command.ts';

/** Returns the short hash of the commit that is checked out, with `-dirty` if files have changed. */
export const currentCommit = (): string =>
  execFileSync('git', ['describe', '--always', '--dirty', '--exclude=*'], { cwd: root, encoding: 'utf8' }).trim();
