import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const root = new URL('../../../../', import.meta.url).pathname;
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8');
const { packages: patterns } = parse(read('pnpm-workspace.yaml')) as { packages: string[] };
const manifests = patterns.flatMap((pattern) => globSync(`${pattern}/package.json`, { cwd: root })).toSorted();

// pnpm rejects a frozen lockfile that names a package without a manifest.
test.each(['Dockerfile', 'deploy/demo/Dockerfile'])('%s copies the manifest of every package before it installs them', (file) => {
  const [beforeInstallation = ''] = read(file).split('RUN pnpm install');
  const copied = [...beforeInstallation.matchAll(/^COPY (\S+\/)package\.json \1$/gm)].map(([, folder]) => `${folder}package.json`);
  expect(copied.toSorted()).toEqual(manifests);
});

test('.dockerignore keeps the manifests in the build context', () => {
  const kept = read('.dockerignore').match(/(?<=^!).*$/gm) ?? [];
  expect(manifests.filter((manifest) => !kept.some((path) => manifest === path || manifest.startsWith(`${path}/`)))).toEqual([]);
});
