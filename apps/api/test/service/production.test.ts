import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEmptyDatabase } from '../../../../test/database.ts';
import { inherited } from '../../../../test/inherited.ts';
import { createApi } from '../support/api.ts';
import { startCollector } from '../support/collector.ts';
import { upload } from '../support/files.ts';
import { startProcess } from '../support/process.ts';
import { startStubS3 } from '../../../../test/storage/stub-s3.ts';
import { startWorld, type World } from '../support/world.ts';

const run = promisify(execFile);
const api = fileURLToPath(new URL('../..', import.meta.url));
const main = join(api, 'dist', 'main.js');

let world: World;

/** Runs a program of the build with only these settings. Resolves when it exits. */
const program = (name: string, settings: Record<string, string>) =>
  run(process.execPath, [join(api, 'dist', name)], { env: { ...inherited, ...settings }, timeout: 60_000 });

beforeAll(async () => {
  [world] = await Promise.all([startWorld(), run(join(api, 'node_modules', '.bin', 'tsdown'), [], { cwd: api })]);
});
afterAll(() => world.stop());

describe('dist/main.js', () => {
  // Rules: SETTINGS-2
  test('names all missing settings and exits with 1', async () => {
    const absent = ['DATABASE_URL', 'IDENTITY_REALM_URL', 'IDENTITY_AUTH_URL', 'IDENTITY_CLIENT_ID', 'IDENTITY_CLIENT_SECRET'];
    const stderr = expect.stringContaining(absent.map((name) => `\n  ${name} is not set`).join(''));
    await expect(program('main.js', {})).rejects.toMatchObject({ code: 1, stdout: '', stderr });
  });

  test('serves requests, accepts only tokens for IDENTITY_AUDIENCE, exports traces, and exits with 0 on SIGTERM', async () => {
    const collector = await startCollector();
    const settings = { NODE_ENV: 'production', IDENTITY_AUDIENCE: 'profile-service', ...collector.settings };
    const service = await startProcess({ ...world.environment, ...settings }, main);
    const paths = ['/health/ready', '/docs', '/openapi.json', '/docs/scalar.js'];
    const responses = await Promise.all(paths.map((path) => fetch(service.url + path)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const [, , document, script] = responses;
    expect(await script?.text()).toBe(await readFile(join(api, 'dist', 'scalar.js'), 'utf8'));
    expect(await document?.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: world.environment['PUBLIC_URL'] }] });
    const statusFor = async (aud: string | string[] | undefined) => {
      const token = await world.tokenOf({ sub: world.globalSubject, claims: { aud } });
      return (await createApi(service.url).call({ token }, 'GET /api/me/tenants')).status;
    };
    expect(await statusFor(['account', 'profile-service'])).toBe(200);
    expect([await statusFor('account'), await statusFor(undefined)]).toEqual([401, 401]);
    const { resource } = await collector.trace('GET /api/me/tenants');
    expect(resource).toMatchObject({ 'service.name': 'profile-service', 'service.version': '0.1.0' });
    expect(await service.stop()).toBe(0);
    await collector.stop();
  });

  test('uses S3 and the identity provider, whose libraries it loads only when needed', async () => {
    const s3 = await startStubS3();
    const { STORAGE_DIR: _, ...environment } = world.environment;
    const service = await startProcess({ ...environment, ...s3.settings, NODE_ENV: 'production' }, main);
    const build = createApi(service.url);
    const person = await world.person({ [(await world.tenant()).id]: 'tenant-admin' });
    const { status, body } = await upload({ ...world, ...build }, person);
    expect([status, s3.objects.size]).toEqual([201, 1]);
    expect((await build.call(person, `GET /api/attachments/${body.id}`)).status).toBe(200);
    expect((await build.call(person, `DELETE /api/attachments/${body.id}`)).status).toBe(204);
    expect((await build.call(world.global, 'POST /api/users', world.newPerson())).status).toBe(201);
    expect(await service.stop()).toBe(0);
    await s3.stop();
  });
});

test('a start with a folder and without Redis does not load the libraries that it does not use', async () => {
  const hooks = `import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) { process.stderr.write('loaded ' + url + '\\n'); return next(url, context); } });`;
  const args = ['--import', `data:text/javascript,${encodeURIComponent(hooks)}`, join(api, 'src', 'main.ts')];
  const env = { ...inherited, ...world.environment, LOG_LEVEL: 'info', IDENTITY_AUDIENCE: '*' };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  let loaded = '';
  child.stderr.on('data', (data: Buffer) => (loaded += data.toString()));
  for await (const line of createInterface(child.stdout)) if (line.includes('"listening"')) child.kill('SIGTERM');
  await exited;
  expect(loaded).toContain('/node_modules/pg-boss/');
  // prom-client loads @opentelemetry/api.
  const ofTracing = ['core', 'sdk-trace', 'resources', 'otlp-transformer'].map((name) => `@opentelemetry/${name}/`);
  const packages = ['@aws-sdk/', '@keycloak/', 'ioredis/', 'rate-limiter-flexible/', '@scalar/', 'helmet/', ...ofTracing];
  expect(packages.filter((name) => loaded.includes(`/node_modules/${name}`))).toEqual([]);
});

test('dist/migrate.js migrates an empty database, and dist/clean-storage.js cleans the storage once or exits with 1', async () => {
  const migrated = await program('migrate.js', { DATABASE_URL: await createEmptyDatabase() });
  expect(migrated.stdout).toMatch(/^Applied 0001-search, .*\n$/);
  const { stdout } = await program('clean-storage.js', { ...world.environment, LOG_LEVEL: 'info' });
  expect(JSON.parse(stdout)).toMatchObject({ msg: 'the storage was cleaned', removed: 0, aborted: 0, missing: 0 });
  const away = { ...world.environment, STORAGE_DIR: '/nowhere/files' };
  const reason = expect.stringContaining('The storage folder /nowhere/files cannot be reached');
  await expect(program('clean-storage.js', away)).rejects.toMatchObject({ code: 1, stderr: reason });
});
