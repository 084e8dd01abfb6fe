import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** The text of a file. @param path from the root of the project */
export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

export const readJson = <Content>(path: string): Content => JSON.parse(read(path)) as Content;
