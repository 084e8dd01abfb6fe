import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { cached, cacheFolder } from '../../../../scripts/keycloak/cache.ts';
import { startKeycloak } from '../../../../scripts/keycloak/server.ts';
import { keycloakVersion } from '../../../../scripts/keycloak/version.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keycloak-cache-'));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

test.each([
  ['', join(homedir(), '.cache', 'profile-service')],
  ['some/folder', resolve('some/folder')],
])('KEYCLOAK_CACHE=%s is the folder %s', (value, expected) => {
  vi.stubEnv('KEYCLOAK_CACHE', value);
  expect(cacheFolder()).toBe(expected);
});

describe('a Keycloak that ends before its first response', () => {
  /** Writes an executable shell script. */
  const program = async (path: string, script: string) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
  };

  test('is not started again, and the error contains the end of its log', async () => {
    vi.stubEnv('KEYCLOAK_CACHE', folder);
    vi.stubEnv('JAVA_HOME', join(folder, 'java'));
    await program(join(folder, 'java', 'bin', 'java'), `echo 'openjdk version "21"' >&2`);
    const name = `keycloak-${keycloakVersion()}`;
    await cached(name, (home) => program(join(home, name, 'bin', 'kc.sh'), '[ "$1" = import ] || { echo "no memory"; exit 1; }'));
    await expect(startKeycloak()).rejects.toThrow('Keycloak ended before it responded:\nno memory');
  });
});
