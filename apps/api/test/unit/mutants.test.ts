import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { mutants } from '../../mutants/list/index.ts';
import { mutantsPage } from '../../mutants/table.ts';

const read = (file: string) => readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8');
const withoutPadding = (markdown: string) => markdown.replaceAll(/ *\| */g, '|').replaceAll(/-{3,}/g, '---');

describe('a mutant', () => {
  test.each(mutants)('changes a text that occurs once in $file: $why', ({ file, find, replace }) => {
    expect(read(file).split(find)).toHaveLength(2);
    expect(replace).not.toBe(find);
  });

  test('names a test file with tests', () => {
    for (const { test: file } of mutants) expect(file === undefined || /^ *test[.(]/m.test(read(file))).toBe(true);
  });
});

test('no two mutants make the same change', () => {
  expect(new Set(mutants.map(({ file, find, replace }) => JSON.stringify([file, find, replace]))).size).toBe(mutants.length);
});

test('docs/mutants.md lists every mutant (written by `node apps/api/mutants/document.ts`)', () => {
  expect(withoutPadding(read('docs/mutants.md'))).toBe(withoutPadding(mutantsPage()));
});
