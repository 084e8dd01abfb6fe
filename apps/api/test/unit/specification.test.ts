import { existsSync, readFileSync } from 'node:fs';
import { rows } from '@profile-service/contracts';
import { describe, expect, test } from 'vitest';

/** docs/specification.md names the test that proves each endpoint and each rule. */
const root = new URL('../../../../', import.meta.url);
const page = readFileSync(new URL('docs/specification.md', root), 'utf8');

interface Proof {
  what: string;
  file: string;
  title: string;
}

const proofs: Proof[] = page
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\| (endpoint or rule|-)/.test(line))
  .map((line) => {
    const [what = '', file = '', title = ''] = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
    return { what, file, title };
  });
const endpoints = proofs.flatMap(({ what }) => /^`((?:GET|POST|PUT|DELETE) \/.*)`$/.exec(what)?.[1] ?? []);

const sourceOf = (file: string): string => {
  const path = new URL(file.includes('/test/') ? file : `apps/api/test/${file}`, root);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
};

/** The title as the first argument of a test, however it is quoted. */
const hasTest = (source: string, title: string): boolean =>
  ["'", '"', '`'].some((quote) => source.replaceAll(/\(\s+/g, '(').includes(`(${quote}${title}${quote},`));

describe('docs/specification.md', () => {
  test('has every row of the contract, and no other endpoint', () => {
    expect(endpoints.toSorted()).toEqual(rows.map(({ row }) => `${row.method} ${row.path}`).toSorted());
  });

  test.each(proofs)('$what: $file has the test "$title"', ({ what, file, title }) => {
    const source = sourceOf(file);
    expect(source, `${file} exists`).not.toBe('');
    expect(hasTest(source, title), `${file} has the test "${title}"`).toBe(true);
    // A test of an endpoint stands under its name.
    const [, endpoint = ''] = /^`(.*)`$/.exec(what) ?? [];
    expect(source).toContain(endpoint);
  });

  test('tells a title that there is from one that there is not', () => {
    const source = "test.each([1])(\n  'takes %i',\n  () => {});\ntest(\"it's\", () => {});";
    expect(['takes %i', "it's", 'takes', '%i', 'it'].map((title) => hasTest(source, title))).toEqual([true, true, false, false, false]);
  });
});
