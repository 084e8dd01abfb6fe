import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as clientPackage from '../../../test/client-package.ts';

const { bundle, clientFolder, compile, packClient, readDocsPrograms, readmeDeclarations, readReadmeProgram, tsconfig } = clientPackage;

/** Milliseconds for the bundler and the compiler on a busy machine. */
const timeout = 60_000;

/** A folder with the packed client, tRPC, TanStack Query and eventsource installed, and nothing else of this repository. */
let project: string;
let installed: string;
let packed: clientPackage.PackedClient;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'profile-client-'));
  packed = await packClient(project);
  installed = join(project, 'node_modules/@profile-service/client');
  await mkdir(installed, { recursive: true });
  await promisify(execFile)('tar', ['-xzf', packed.tarball, '--strip-components=1', '-C', installed]);
  for (const name of ['@trpc', '@tanstack', '@types', 'react'])
    await symlink(join(clientFolder, 'node_modules', name), join(project, 'node_modules', name));
  await symlink(join(clientFolder, '../../examples/frontend/node_modules/eventsource'), join(project, 'node_modules/eventsource'));
}, timeout);
afterAll(() => rm(project, { recursive: true }));

test('the package contains the build, its documentation and its licence, needs only tRPC, and contains nothing of the service', async () => {
  const files = packed.files.filter((file) => file !== 'CHANGELOG.md');
  expect(files).toEqual(['LICENSE', 'README.md', 'dist/index.d.ts', 'dist/index.js', 'package.json']);
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).not.toHaveProperty('private');
  expect(manifest).toMatchObject({
    type: 'module',
    license: 'Apache-2.0',
    sideEffects: false,
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    peerDependencies: { '@trpc/client': '^11.4.0', '@trpc/server': '^11.4.0' },
  });
  for (const file of ['dist/index.js', 'dist/index.d.ts']) {
    const text = await readFile(join(installed, file), 'utf8');
    const imports = [...text.matchAll(/(?:from|import\() ?["'](.+?)["']/g)].map(([, name]) => name);
    expect(imports.filter((name) => !name?.startsWith('@trpc/'))).toEqual([]);
    expect(text).not.toMatch(/zod|kysely|workspace:|@profile-service\/(contracts|db)/);
  }
});

/** A package that exports parts of the client. */
const exportsOfClient = `
  import { clientCredentials, createProfileClient } from '@profile-service/client';
  export const token = clientCredentials({ issuer: '', clientId: '', clientSecret: '' });
  export const profile = createProfileClient({ url: '', token });
  export const { organizations, attachments, service } = profile;
  export const { query, safe } = organizations.list;
  export const { upload, download } = attachments;`;

test(
  'the code of the documentation, and a package that exports parts of the client, compile with strict options',
  { timeout },
  async () => {
    const programs = await readDocsPrograms();
    expect(programs).not.toHaveLength(0);
    const files = {
      // The types of tRPC 11.9 to 11.22 and of @trpc/tanstack-react-query fail without skipLibCheck.
      'tsconfig.json': tsconfig('browser', { skipLibCheck: true, declaration: true }),
      'package.json': '{ "type": "module" }',
      'readme.tsx': readmeDeclarations + (await readReadmeProgram('tsx')),
      'exports.ts': exportsOfClient,
      ...Object.fromEntries(programs.map((program, index) => [`docs-${index}.ts`, program])),
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
    expect(await compile(project)).toBe('');
  },
);

test('the README states the compressed size', { timeout }, async () => {
  const kilobytes = async (...external: RegExp[]) =>
    Math.ceil(gzipSync(await bundle(join(clientFolder, 'src/index.ts'), 'client', external)).length / 1000);
  const sizes = `${await kilobytes(/^@trpc\//)} kB minified and compressed, ${await kilobytes()} kB with tRPC`;
  expect(await readFile(join(clientFolder, 'README.md'), 'utf8')).toContain(sizes);
});
