import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { mutants } from '../../mutants/list/index.ts';

const read = (file: string) => readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8');

describe('a mutant', () => {
  test.each(mutants)('changes texts that occur exactly once: $why', ({ changes }) => {
    for (const { file, find, replace } of changes) {
      expect(read(file).split(find)).toHaveLength(2);
      expect(replace).not.toBe(find);
    }
  });

  test('names a test file that contains tests', () => {
    for (const { test: file } of mutants) expect(file === undefined || /^ *test[.(]/m.test(read(file))).toBe(true);
  });
});

test('no two mutants make the same change', () => {
  expect(new Set(mutants.map(({ changes }) => JSON.stringify(changes))).size).toBe(mutants.length);
});
