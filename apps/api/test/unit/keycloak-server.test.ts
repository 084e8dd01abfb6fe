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

describe('KEYCLOAK_CACHE', () => {
  test('is a folder of the home directory if it is empty or not set', () => {
    vi.stubEnv('KEYCLOAK_CACHE', '');
    expect(cacheFolder()).toBe(join(homedir(), '.cache', 'profile-service'));
    vi.stubEnv('KEYCLOAK_CACHE', undefined);
    expect(cacheFolder()).toBe(join(homedir(), '.cache', 'profile-service'));
  });

  test('may be relative to the working directory', () => {
    vi.stubEnv('KEYCLOAK_CACHE', 'some/folder');
    expect(cacheFolder()).toBe(resolve('some/folder'));
  });
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
