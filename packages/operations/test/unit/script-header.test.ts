import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { withoutTransactionTimeout } from '../../src/backup/script-header.ts';

const line = 'SET transaction_timeout = 0;\n';
const through = async (...chunks: string[]) =>
  (await buffer(Readable.from(chunks.map((chunk) => Buffer.from(chunk))).pipe(withoutTransactionTimeout()))).toString();
const rest = 'é'.repeat(10_000);

test.each([
  ['in one chunk', [`SET lock_timeout = 0;\n${line}SET row_security = off;\n`]],
  ['in two chunks', ['SET lock_timeout = 0;\nSET transaction_', 'timeout = 0;\nSET row_security = off;\n']],
])('a script without the line that PostgreSQL 15 and 16 do not know, %s', async (_title, header) => {
  expect(await through(...header)).toBe('SET lock_timeout = 0;\nSET row_security = off;\n');
  expect(await through(...header, rest, line)).toBe(`SET lock_timeout = 0;\nSET row_security = off;\n${rest}${line}`);
});

test('a script without that line is unchanged', async () => {
  expect(await through('SET lock_timeout = 0;\n', rest)).toBe(`SET lock_timeout = 0;\n${rest}`);
  expect(await through()).toBe('');
});
