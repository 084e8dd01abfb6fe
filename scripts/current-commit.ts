import { execFileSync } from 'node:child_process';
import { root } from './ci/command.ts';

let commit: string | undefined;

/**
 * Returns the short hash of the commit that is checked out, with `-dirty` if files have changed. Later calls return the same: a command that records its
 * results changes files.
 */
export const currentCommit = (): string =>
  (commit ??= execFileSync('git', ['describe', '--always', '--dirty', '--exclude=*'], { cwd: root, encoding: 'utf8' }).trim());
