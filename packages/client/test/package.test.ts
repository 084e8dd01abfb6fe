import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const source = fileURLToPath(new URL('..', import.meta.url));
const bin = fileURLToPath(new URL('../../../node_modules/.bin', import.meta.url));

/** Milliseconds for the bundler and the compiler on a busy machine. */
const timeout = 60_000;

/** A folder with the packed client and tRPC installed, and nothing else of this repository. */
let frontend: string;
let installed: string;
beforeAll(async () => {
  frontend = await mkdtemp(join(tmpdir(), 'profile-frontend-'));
  const { stdout } = await run(join(bin, 'pnpm'), ['pack', '--json', '--pack-destination', frontend], { cwd: source });
  const { filename } = JSON.parse(stdout.slice(stdout.indexOf('{\n'))) as { filename: string };
  installed = join(frontend, 'node_modules/@profile-service/client');
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', filename, '--strip-components=1', '-C', installed]);
  await symlink(join(source, 'node_modules/@trpc'), join(frontend, 'node_modules/@trpc'));
}, timeout);
afterAll(() => rm(frontend, { recursive: true }));

test('the package depends on tRPC only and contains no sources or schemas', async () => {
  const { dependencies, exports } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as Record<string, object>;
  expect(dependencies).toEqual({ '@trpc/client': expect.stringMatching(/^\d/), '@trpc/server': expect.stringMatching(/^\d/) });
  expect(exports).toEqual({ '.': { types: './dist/index.d.ts', default: './dist/index.js' } });
  for (const file of ['index.js', 'index.d.ts']) {
    const imports = (await readFile(join(installed, 'dist', file), 'utf8')).matchAll(/^(?:im|ex)port .*from ["'](.+)["']/gm);
    expect([...imports].map(([, name]) => name).filter((name) => !name?.startsWith('@trpc/'))).toEqual([]);
  }
});

const program = `
  import { createProfileClient, problemOf } from '@profile-service/client';
  const profile = createProfileClient({ url: 'http://127.0.0.1:1', token: () => 'token', tenantId: () => undefined });
  const failed = (error: unknown) => [problemOf(error)?.code, error instanceof Error];
  console.log(await profile.users.list.query({ type: 'Technician' }).then(({ data }) => [data[0]?.jobTitle?.length], failed));
  console.log(await profile.attachments.upload(new Blob(['x'])).then(({ originalFilename }) => [originalFilename.length], failed));
`;
const wrong = `
  // @ts-expect-error: no such persona
  void profile.memberships.assign.mutate({ userId: '1', tenantId: '2', persona: 'king' });
  // @ts-expect-error: no such entity type
  void profile.attachments.upload(new Blob([]), { entityType: 'king' });
  // @ts-expect-error: no such field
  void profile.users.list.query().then(({ data }) => data[0]?.king);
`;

test.each([
  ['a browser', { lib: ['es2022', 'dom'], module: 'esnext', moduleResolution: 'bundler', types: [] }],
  ['Node', { lib: ['es2022'], module: 'nodenext', types: ['node'], typeRoots: [join(source, '../../node_modules/@types')] }],
])('the package compiles for %s with strict options', { timeout }, async (_platform, options) => {
  const strict = { strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, skipLibCheck: true };
  await writeFile(
    join(frontend, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...strict, ...options, target: 'es2022', noEmit: true } }),
  );
  await writeFile(join(frontend, 'program.mts'), program + wrong);
  await expect(run(join(bin, 'tsc'), ['-p', frontend])).resolves.toEqual({ stdout: '', stderr: '' });
});

test('the package runs in Node', { timeout }, async () => {
  const file = join(frontend, 'run.mts');
  await writeFile(file, program);
  const { stdout } = await run(process.execPath, [file]);
  expect(stdout).toBe('[ undefined, true ]\n[ undefined, true ]\n');
});
