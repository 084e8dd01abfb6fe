import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { machinePath, root } from '../../../../scripts/ci/command.ts';
import { missingPackages } from '../../../../scripts/ci/tools.ts';
import { canBuild } from '../../../../scripts/go-program.ts';
import { isPostgres15, postgres15 } from '../../../../scripts/postgres15.ts';

afterEach(() => vi.unstubAllEnvs());

test('tests run as on the machine get the Go that CI installed, and no tool of the project', () => {
  const go = join(root, 'node_modules/.cache/go/go/bin');
  vi.stubEnv('PATH', [join(root, 'node_modules/.bin'), join(root, 'packages/db/node_modules/.bin'), go, '/usr/bin'].join(':'));
  expect(machinePath()).toBe(`${go}:/usr/bin`);
});

test('a proof that is left out needs no packages', () => {
  const missing = (...skip: string[]) => missingPackages(skip, () => false);
  expect(missing()).toEqual(expect.arrayContaining(['redis-server', 'chromium', 'maven', 'prometheus', 'postgresql-15', 'python3-pip']));
  const always = ['redis-server', 'pgbouncer', 'chromium', 'python3-pip', 'python3-venv'];
  expect(missing('keycloak', 'clients', 'deploy', 'faults', 'postgres15', 'recovery')).toEqual(always);
});

test.each([
  ['go version go1.19.8 linux/amd64', false],
  ['go version go1.20.14 linux/amd64', false],
  ['go version go1.21.0 linux/amd64', true],
  ['go version go1.26rc1 linux/amd64', true],
  ['go version devel go1.27-5e1b4f7 linux/amd64', true],
  ['', false],
])('whether %j builds the programs: %s', (version, expected) => {
  expect(canBuild(version)).toBe(expected);
});

/** Sets POSTGRES_BIN to a folder whose `postgres` prints this version. */
function stubPostgres(version: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'profile-service-postgres-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'postgres'), `#!/bin/sh\necho 'postgres (PostgreSQL) ${version}'\n`);
  chmodSync(join(folder, 'postgres'), 0o755);
  vi.stubEnv('POSTGRES_BIN', folder);
  return folder;
}

test('PostgreSQL 15 is that of POSTGRES_BIN, and no other version', () => {
  const folder = stubPostgres('15.18 (Debian 15.18-0+deb12u1)');
  expect([postgres15(), isPostgres15()]).toEqual([{ POSTGRES_BIN: folder }, true]);
  stubPostgres('18.4');
  expect(isPostgres15()).toBe(false);
  vi.stubEnv('POSTGRES_BIN', '/nonexistent');
  expect(isPostgres15()).toBe(false);
});
