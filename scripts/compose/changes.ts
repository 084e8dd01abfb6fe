import { execFileSync, spawnSync } from 'node:child_process';
import { root } from '../ci/command.ts';

/** What the containers consist of, besides the code of the service, and what drives them. */
const files = [
  '.dockerignore',
  '.env.example',
  'Dockerfile',
  'deploy/compose',
  'deploy/keycloak',
  'deploy/postgres',
  'deploy/proxy',
  'docker-compose.yml',
  'pnpm-lock.yaml',
  'scripts/compose',
  'scripts/compose-env.mjs',
  'scripts/verify-compose.ts',
];

/** Whether deployment files differ from those of a commit. An unknown commit, as GitHub names it for a new branch, counts as a difference. */
export const haveFilesChanged = (commit: string): boolean =>
  spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' }).status !== 0 ||
  execFileSync('git', ['diff', '--name-only', commit, 'HEAD', '--', ...files], { cwd: root, encoding: 'utf8' }) !== '';
