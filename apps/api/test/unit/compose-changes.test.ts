import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { baseCommit, deploymentFiles, haveFilesChanged } from '../../../../scripts/compose/changes.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** Creates a repository with a commit. `commit` adds a commit that writes these files. */
function createRepository() {
  const folder = mkdtempSync(join(tmpdir(), 'profile-service-changes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  const commit = (...files: string[]) => {
    for (const file of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), String(performance.now()));
    }
    git('add', '--all');
    git('-c', 'user.name=Ana', '-c', 'user.email=ana@example.com', 'commit', '--quiet', '--message', 'A change');
    return git('rev-parse', 'HEAD');
  };
  git('init', '--quiet', '--initial-branch=main');
  return { folder, git, commit, first: commit('README.md') };
}

test('a deployment file or an unknown commit counts as a change, and code does not', () => {
  const { folder, commit, first } = createRepository();
  commit('apps/api/src/main.ts', 'packages/db/src/connection/database.ts');
  expect(haveFilesChanged(first, folder)).toBe(false);
  expect(haveFilesChanged('0'.repeat(40), folder)).toBe(true);
  for (const file of [
    'docker-compose.yml',
    'deploy/proxy/haproxy.cfg',
    'packages/db/src/migrations/0019-next.ts',
    'packages/auth/package.json',
  ])
    expect(haveFilesChanged(`${commit(file)}^`, folder)).toBe(true);
});

test('the base is the commit where the branch left origin/main, or the previous one', () => {
  const { folder, git, commit, first } = createRepository();
  commit('a');
  expect(baseCommit(folder)).toBe('HEAD^');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  expect(baseCommit(folder)).toBe('HEAD^');
  git('update-ref', 'refs/remotes/origin/main', first);
  commit('b');
  expect(baseCommit(folder)).toBe(first);
});

test('every file that the Dockerfile copies from the clone, other than code, is a deployment file', () => {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/^COPY (?!--from)(.+) \S+$/gm);
  const sources = [...lines].flatMap(([, words = '']) => words.split(' ')).filter((source) => !['packages', 'apps/api'].includes(source));
  expect(sources).toContain('pnpm-lock.yaml');
  expect(sources.filter((source) => !deploymentFiles.some((file) => matchesGlob(source.replace('.*', '.cjs'), file)))).toEqual([]);
});
