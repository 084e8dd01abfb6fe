import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declarationsOf } from './declarations.ts';
import { type Range, sqlDefinitionsOf } from './sql.ts';
import { type Node, parse } from './syntax.ts';

/** The texts of the production sources by their paths from the project's root. */
export type Sources = ReadonlyMap<string, string>;

/** Reads the production sources. @param root folder of the project or of a copy */
export function readSources(root: string): Sources {
  const files = globSync('{apps/api,packages/*}/src/**/*.ts', { cwd: root }).toSorted();
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

/** Where a declaration is. */
export interface Found<T> {
  readonly file: string;
  readonly text: string;
  readonly found: T;
}

/** Finds the only declaration with this name. Throws if there is none or more than one. @param name see `Change.name` */
export function findDeclaration(sources: Sources, name: string): Found<Node> {
  const { folders, path } = splitName(name);
  const found = [...sources].flatMap(([file, text]) => {
    if (!isIn(file, folders) || !text.includes(path[0] as string)) return [];
    const program = parse(text);
    return program ? declarationsOf(program, path).map((node) => ({ file, text, found: node })) : [];
  });
  if (found.length !== 1)
    throw new Error(`${name}: expected one declaration, found ${found.length}: ${found.map(({ file }) => file).join(', ')}`);
  return found[0] as Found<Node>;
}

/** Finds the last definition of an SQL function, trigger or table: the one of the newest migration counts. Throws if there is none. */
export function findSqlDefinition(sources: Sources, name: string): Found<Range> {
  const found = [...sources].flatMap(([file, text]) => sqlDefinitionsOf(text, name).map((range) => ({ file, text, found: range })));
  const last = found.at(-1);
  if (!last) throw new Error(`${name}: found no SQL function, trigger or table of this name`);
  return last;
}

function splitName(name: string): { folders: string; path: string[] } {
  const names = name.split('/');
  return { path: (names.pop() as string).split('.'), folders: names.join('/') };
}

/** Whether folders of the path, or folders and the module, have these names. */
const isIn = (file: string, folders: string): boolean => folders === '' || file.replace(/\.ts$/, '/').includes(`/${folders}/`);
