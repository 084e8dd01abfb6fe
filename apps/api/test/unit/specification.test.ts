import { endpoints } from '@profile-service/contracts';
import { describe, expect, test } from 'vitest';
import { hasTest, sourceOf } from './proof.ts';

/** docs/specification.md names the test that proves each endpoint and each rule. */
const page = sourceOf('docs/specification.md');

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
const documented = proofs.flatMap(({ what }) => /^`((?:GET|POST|PUT|DELETE) \/.*)`$/.exec(what)?.[1] ?? []);

const pathOf = (file: string): string => (file.includes('/test/') ? file : `apps/api/test/${file}`);

describe('docs/specification.md', () => {
  test('has every row of the contract, and no other endpoint', () => {
    expect(documented.toSorted()).toEqual(endpoints.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`).toSorted());
  });

  test.each(proofs)('$what: $file has the test "$title"', ({ what, file, title }) => {
    const source = sourceOf(pathOf(file));
    expect(source, `${file} exists`).not.toBe('');
    expect(hasTest(source, title), `${file} has the test "${title}"`).toBe(true);
    // A test of an endpoint stands under its name.
    const [, endpoint = ''] = /^`(.*)`$/.exec(what) ?? [];
    expect(source).toContain(endpoint);
  });
});
