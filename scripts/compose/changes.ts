import { execFileSync, spawnSync } from 'node:child_process';
import { root } from '../ci/command.ts';

/** What the containers consist of, besides the code of the service, and what drives them. A folder stands for its files, and `*` for any text. */
export const deploymentFiles = [
  '.dockerignore',
  '.env.example',
  '.pnpmfile.cjs',
  'Dockerfile',
  'apps/api/local',
  'apps/api/package.json',
  'bench/package.json',
  'deploy/compose',
  'deploy/demo',
  'deploy/keycloak',
  'deploy/postgres',
  'deploy/proxy',
  'docker-compose.yml',
  'docs/run/production.md',
  'examples/frontend/package.json',
  'examples/keep-a-copy/package.json',
  'package.json',
  'packages/*/package.json',
  'packages/db/src/migrations',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'scripts/compose',
  'scripts/compose-env.mjs',
  'scripts/proof/compose.ts',
  'tsconfig.base.json',
];

const git = (folder: string, ...args: string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' });

/** Whether the repository has the commit. GitHub names a commit of zeros for a new branch. */
export const isCommit = (commit: string, folder = root): boolean => git(folder, 'cat-file', '-e', `${commit}^{commit}`).status === 0;

/** Whether deployment files differ from those of a commit. An unknown commit counts as a difference. @param folder the repository */
export const haveFilesChanged = (commit: string, folder = root): boolean =>
  !isCommit(commit, folder) ||
  execFileSync('git', ['diff', '--name-only', commit, 'HEAD', '--', ...deploymentFiles], { cwd: folder, encoding: 'utf8' }) !== '';

/** Returns the commit whose changes are checked: where the branch left origin/main, or the previous commit on main itself and without an origin. */
export function baseCommit(folder = root): string {
  const base = git(folder, 'merge-base', 'origin/main', 'HEAD').stdout.trim();
  const head = git(folder, 'rev-parse', 'HEAD').stdout.trim();
  return base && base !== head ? base : 'HEAD^';
}
