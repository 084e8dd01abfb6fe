import { existsSync, readFileSync } from 'node:fs';

const root = new URL('../../../../', import.meta.url);

/** The text of a file of this project; empty where there is none. @param file from the root */
export function sourceOf(file: string): string {
  const path = new URL(file, root);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** Whether the source has a test, or a group of tests, of this title: as the first argument, however it is quoted. */
export const hasTest = (source: string, title: string): boolean =>
  ["'", '"', '`'].some((quote) => source.replaceAll(/\(\s+/g, '(').includes(`(${quote}${title}${quote},`));
