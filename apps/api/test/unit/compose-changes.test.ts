import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { baseCommit, deploymentFiles, haveFilesChanged } from '../../../../scripts/compose/changes.ts';
import { read } from '../support/project-files.ts';

test('a deployment file or an unknown commit counts as a change since the branch left origin/main, and code does not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'profile-service-changes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  const commit = (file: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), String(performance.now()));
    git('add', '--all');
    git('-c', 'user.name=Ana', '-c', 'user.email=ana@example.com', 'commit', '--quiet', '--message', 'A change');
    return git('rev-parse', 'HEAD');
  };
  git('init', '--quiet', '--initial-branch=main');
  const first = commit('README.md');
  commit('apps/api/src/main.ts');
  expect(haveFilesChanged(first, folder)).toBe(false);
  expect(haveFilesChanged('0'.repeat(40), folder)).toBe(true);
  for (const file of ['docker-compose.yml', 'deploy/proxy/haproxy.cfg', 'packages/auth/package.json'])
    expect(haveFilesChanged(`${commit(file)}^`, folder)).toBe(true);

  expect(baseCommit(folder)).toBe('HEAD^');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  expect(baseCommit(folder)).toBe('HEAD^');
  git('update-ref', 'refs/remotes/origin/main', first);
  expect(baseCommit(folder)).toBe(first);
});

test('every file that the Dockerfile copies from the clone, other than code, is a deployment file', () => {
  const lines = read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm);
  const sources = [...lines].flatMap(([, words = '']) => words.split(' ')).filter((source) => !['packages', 'apps/api'].includes(source));
  expect(sources).toContain('pnpm-lock.yaml');
  expect(sources.filter((source) => !deploymentFiles.some((file) => matchesGlob(source.replace('.*', '.cjs'), file)))).toEqual([]);
});
