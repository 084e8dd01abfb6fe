import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { read, root } from '../support/project-files.ts';

const numberIn = (file: string, pattern: RegExp) => Number(pattern.exec(read(file))?.[1]);
const { packages } = parse(read('pnpm-workspace.yaml')) as { packages: string[] };
const manifests = packages.flatMap((pattern) => globSync(`${pattern}/package.json`, { cwd: root })).toSorted();

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

test('Docker kills an instance 15 seconds after its delay', () => {
  const delay = numberIn('docker-compose.yml', /^ {2}SHUTDOWN_DELAY_SECONDS: (\d+)$/m);
  expect(numberIn('docker-compose.yml', /^ {4}stop_grace_period: (\d+)s$/m)).toBe(delay + 15);
  for (const name of ['SHUTDOWN_DELAY_SECONDS', 'SHUTDOWN_TIMEOUT_SECONDS']) expect(read('.env.example')).not.toContain(name);
  expect(read('docker-compose.yml')).not.toContain('  SHUTDOWN_TIMEOUT_SECONDS:');
});

test('the proxy has places for the instances of an upgrade', () => {
  const places = numberIn('deploy/proxy/haproxy.cfg', /^ {2}server-template api (\d+) /m);
  expect(places).toBe(2 * numberIn('docs/run/deployment.md', /`API_REPLICAS` sets the number of instances, at most (\d+)/));
});
