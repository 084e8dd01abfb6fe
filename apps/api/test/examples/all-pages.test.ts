import { expect, test } from 'vitest';
import { allPages } from '../../../../examples/keep-a-copy/src/all-pages.ts';

/** A list with pages of 3 records. @param change called before each request */
function listOf(records: string[], change: (page: number) => void) {
  return async ({ page }: { page: number }) => {
    change(page);
    const data = records.slice((page - 1) * 3, page * 3);
    return { data, total: records.length, totalPages: Math.ceil(records.length / 3) };
  };
}

const deletesFirst = (at: number) => (records: string[], page: number) => page === at && records[0] === 'a' && records.shift();

test.each<[string, string, (records: string[], page: number) => unknown]>([
  ['nothing changes', 'abcdefgh', () => undefined],
  ['a record of an earlier page is deleted', 'abcdefgh', deletesFirst(2)],
  ['the last page disappears', 'abcdefg', deletesFirst(3)],
  ['records are added', 'abcdefgh', (records, page) => page === 2 && records[0] === 'a' && records.unshift('new')],
  ['there are none', '', () => undefined],
])('the records of a list are read to its end if %s', async (_case, letters, change) => {
  const records = letters.split('');
  const seen: string[] = [];
  for await (const record of allPages(listOf(records, (page) => void change(records, page)))) seen.push(record);
  expect(records.filter((record) => record !== 'new' && !seen.includes(record))).toEqual([]);
});
