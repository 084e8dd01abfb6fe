import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { codeBlocksOf } from './markdown.ts';

const run = promisify(execFile);
export const clientFolder = fileURLToPath(new URL('../packages/client', import.meta.url));
const docsFolder = fileURLToPath(new URL('../docs', import.meta.url));
const bin = fileURLToPath(new URL('../node_modules/.bin', import.meta.url));

export interface PackedClient {
  /** Path of the tarball. */
  tarball: string;
  /** Paths in the package, sorted. */
  files: string[];
}

/** Builds and packs `@profile-service/client` as it is published. @param folder where to put the tarball */
export async function packClient(folder: string): Promise<PackedClient> {
  const { stdout } = await run(join(bin, 'pnpm'), ['pack', '--json', '--pack-destination', folder], { cwd: clientFolder });
  const { filename, files } = JSON.parse(stdout.slice(stdout.indexOf('{\n'))) as { filename: string; files: { path: string }[] };
  return { tarball: filename, files: files.map(({ path }) => path).toSorted() };
}

/** Bundles and minifies a program for browsers, as an IIFE. @param name of the global variable with the exports  @param external modules to leave out */
export async function bundle(input: string, name: string, external: RegExp[] = []): Promise<string> {
  const build = await rolldown({ input, external, platform: 'browser', logLevel: 'silent' });
  const { output } = await build.generate({ minify: true, format: external.length > 0 ? 'esm' : 'iife', name });
  return output[0].code;
}

/** Compiles a folder with a tsconfig.json. Returns the errors of the compiler; empty if there are none. */
export const compile = (folder: string): Promise<string> =>
  run(join(bin, 'tsc'), ['-p', folder, '--pretty', 'false']).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );

const platforms = {
  browser: { lib: ['es2022', 'dom', 'esnext.disposable'], module: 'esnext', moduleResolution: 'bundler', types: [] as string[] },
  node: {
    lib: ['es2022', 'dom'],
    module: 'nodenext',
    types: ['node'],
    typeRoots: [fileURLToPath(new URL('../node_modules/@types', import.meta.url))],
  },
};

/** A tsconfig.json with strict options. `skipLibCheck`: the types of packages are not checked. */
export function tsconfig(platform: keyof typeof platforms, options: { skipLibCheck: boolean; declaration?: boolean }): string {
  const strict = { strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, ...options };
  return JSON.stringify({ compilerOptions: { ...strict, ...platforms[platform], target: 'es2022', jsx: 'react-jsx', noEmit: true } });
}

/** What the code blocks of the client's README.md expect to be declared. */
export const readmeDeclarations = `
  import type { ServiceUserCreate } from '@profile-service/client';
  declare const session: { accessToken: string; tenantId: string | undefined };
  declare const id: string;
  declare const file: File;
  declare const controller: AbortController;
  declare const clientSecret: string;
  declare const newUser: ServiceUserCreate;
  declare const store: { cursor: string | undefined };
  declare function show(text: string): void;
`;

/**
 * Joins the code blocks of the client's README.md to one program.
 * @param language `ts`, or `tsx` for the blocks that need other packages too
 */
export async function readReadmeProgram(language: 'ts' | 'tsx'): Promise<string> {
  const text = await readFile(join(clientFolder, 'README.md'), 'utf8');
  const blocks = codeBlocksOf(text).filter((block) => block.language === 'ts' || block.language === language);
  return mergeImports(blocks.map((block) => block.text).join('\n'));
}

/** Returns the TypeScript code blocks of the pages in docs, each as a program with what it expects to be declared. */
export async function readDocsPrograms(): Promise<string[]> {
  const pages = await Promise.all(globSync(join(docsFolder, '**/*.md')).map((page) => readFile(page, 'utf8')));
  return pages
    .flatMap(codeBlocksOf)
    .filter(({ language }) => language === 'ts')
    .map(({ text }) => docsDeclarations + text);
}

/** What the code blocks in docs expect to be declared. */
const docsDeclarations = `
  import { isProfileError, type ProfileClient } from '@profile-service/client';
  declare const profile: ProfileClient;
  declare const id: string;
  declare const link: HTMLAnchorElement;
  declare function showConflict(): void;
  declare function copyLists(): Promise<string>;
  declare const store: {
    cursor(): string | undefined;
    commit(cursor: string, changes: () => Promise<void>): Promise<void>;
    put(id: string, data: object): Promise<void>;
    remove(id: string): Promise<void>;
    clear(): Promise<void>;
  };
`;

/** Moves the imports to the top, and imports each name once. */
function mergeImports(code: string): string {
  const pattern = /^import (type )?\{ (.+) \} from '(.+)';$/gm;
  const names = new Map<string, Set<string>>();
  for (const [, type = '', list = '', module = ''] of code.matchAll(pattern)) {
    const known = names.get(module) ?? new Set();
    for (const name of list.split(', ')) known.add(type + name);
    names.set(module, known);
  }
  const imports = [...names].map(([module, known]) => `import { ${[...known].join(', ')} } from '${module}';`);
  return `${imports.join('\n')}\n${code.replaceAll(pattern, '')}`;
}
