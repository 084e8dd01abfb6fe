import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEmptyDatabase } from '../../../../test/database.ts';
import { startProcess } from '../support/process.ts';
import { startWorld, type World } from '../support/world.ts';

const run = promisify(execFile);
const api = fileURLToPath(new URL('../..', import.meta.url));
const main = join(api, 'dist', 'main.js');

let world: World;

/** Runs a program of the build to its end, with these settings and none of this process; one that does not end is ended. */
const program = (name: string, env: Record<string, string>) => run(process.execPath, [join(api, 'dist', name)], { env, timeout: 20_000 });

beforeAll(async () => {
  await run(join(api, 'node_modules', '.bin', 'tsdown'), [], { cwd: api });
  world = await startWorld();
});
afterAll(() => world.stop());

describe('dist/main.js', () => {
  test('names all absent settings at once and ends with 1', async () => {
    const absent = [
      'DATABASE_URL',
      'IDENTITY_REALM_URL',
      'IDENTITY_AUTH_URL',
      'IDENTITY_CLIENT_ID',
      'IDENTITY_CLIENT_SECRET',
      'STORAGE_ENDPOINT, STORAGE_BUCKET, STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY or STORAGE_DIR',
    ];
    const audience = '  IDENTITY_AUDIENCE is not set: name the audience that tokens must have, or * to accept any';
    const lines = ['The settings are not complete or not right:', ...absent.map((name) => `  ${name} is not set`), audience];
    await expect(program('main.js', {})).rejects.toMatchObject({ code: 1, stdout: '', stderr: `${lines.join('\n')}\n` });
  });

  test('refuses the secrets of .env.example in production', async () => {
    const env = { ...world.environment, NODE_ENV: 'production', IDENTITY_CLIENT_SECRET: 'dev-only-profile-service' };
    const refusal = 'IDENTITY_CLIENT_SECRET holds a development secret, which a production start refuses';
    await expect(program('main.js', env)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(refusal) });
  });

  test.each(['development', 'production'])('requires IDENTITY_AUDIENCE when NODE_ENV is %s', async (environment) => {
    const env = { ...world.environment, NODE_ENV: environment };
    await expect(program('main.js', env)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('IDENTITY_AUDIENCE is not set'),
    });
  });

  test('accepts only tokens for IDENTITY_AUDIENCE', async () => {
    const service = await startProcess({ ...world.environment, IDENTITY_AUDIENCE: 'profile-service' }, main);
    const statusFor = async (aud: string | string[] | undefined) => {
      const token = await world.tokenOf({ sub: world.identity.users()[0]?.id ?? '', claims: { aud } });
      const response = await fetch(`${service.url}/api/me/tenants`, { headers: { authorization: `Bearer ${token}` } });
      return response.status;
    };
    expect(await statusFor(['account', 'profile-service'])).toBe(200);
    expect([await statusFor('account'), await statusFor(undefined)]).toEqual([401, 401]);
    expect(await service.stop()).toBe(0);
  });

  test('accepts tokens for any audience when IDENTITY_AUDIENCE is *', async () => {
    const service = await startProcess({ ...world.environment, IDENTITY_AUDIENCE: '*' }, main);
    const headers = { authorization: `Bearer ${world.global.token}` };
    expect((await fetch(`${service.url}/api/me/tenants`, { headers })).status).toBe(200);
    expect(await service.stop()).toBe(0);
  });

  test('serves on real parts, and ends with 0 on SIGTERM', async () => {
    const service = await startProcess({ ...world.environment, NODE_ENV: 'production' }, main);
    const [ready, document, docs] = await Promise.all(['/health/ready', '/openapi.json', '/docs'].map((path) => fetch(service.url + path)));
    expect([ready?.status, document?.status, docs?.status]).toEqual([200, 200, 200]);
    expect(await document?.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: world.environment['PUBLIC_URL'] }] });
    expect(await service.stop()).toBe(0);
  });
});

describe('dist/migrate.js', () => {
  test('brings an empty database to the newest schema, once', async () => {
    const env = { DATABASE_URL: await createEmptyDatabase() };
    expect((await program('migrate.js', env)).stdout).toMatch(/^Applied 0001-search, .*\n$/);
    expect((await program('migrate.js', env)).stdout).toBe('The schema is up to date\n');
  });
});

describe('dist/clean-storage.js', () => {
  test('cleans the storage once and tells of it', async () => {
    const { stdout } = await program('clean-storage.js', { ...world.environment, LOG_LEVEL: 'info' });
    expect(JSON.parse(stdout)).toMatchObject({ msg: 'the storage was cleaned', removed: 0, aborted: 0, missing: 0 });
  });

  test('ends with 1 where the storage is away', async () => {
    const away = { ...world.environment, STORAGE_DIR: '/nowhere/files' };
    const reason = expect.stringContaining('The storage folder /nowhere/files cannot be reached');
    await expect(program('clean-storage.js', away)).rejects.toMatchObject({ code: 1, stderr: reason });
  });
});
