import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { mutants } from '../../mutants/list/index.ts';
import { fillIn } from '../../mutants/table.ts';

const read = (file: string) => readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8');
const withoutPadding = (markdown: string) => markdown.replaceAll(/ *\| */g, '|').replaceAll(/-{3,}/g, '---');

describe('a mutant', () => {
  test.each(mutants)('changes a text that stands once in $file: $why', ({ file, find, replace }) => {
    expect(read(file).split(find)).toHaveLength(2);
    expect(replace).not.toBe(find);
  });

  test('is noticed by a test that exists', () => {
    for (const { test: file } of mutants) expect(file === undefined || /^ *test[.(]/m.test(read(file))).toBe(true);
  });
});

test('there are many of them, and no two break the same', () => {
  expect(mutants.length).toBeGreaterThanOrEqual(30);
  expect(new Set(mutants.map(({ file, find, replace }) => JSON.stringify([file, find, replace]))).size).toBe(mutants.length);
});

test('docs/security.md has the table of them (made by `node apps/api/mutants/document.ts`)', () => {
  const document = read('docs/security.md');
  expect(withoutPadding(document)).toBe(withoutPadding(fillIn(document)));
  expect(document).toContain(mutants.at(-1)?.why);
});
