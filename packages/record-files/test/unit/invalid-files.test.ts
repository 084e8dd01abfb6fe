import { describe, expect, test } from 'vitest';
import { checkFileHead, type FileRow, InvalidFileError, openRecordFile, type ReadOptions } from '../../src/index.ts';
import { chunksOf, options } from './body.ts';

const bytesOf = (file: string | Buffer) => (typeof file === 'string' ? Buffer.from(file) : file);

/** The rows before the error, and the error. */
async function readUntilError(file: string | Buffer, more: Partial<ReadOptions> = {}) {
  const rows: FileRow[] = [];
  try {
    const opened = await openRecordFile(chunksOf(bytesOf(file)), { ...options, ...more });
    for await (const part of opened.rows) rows.push(...part);
  } catch (error) {
    if (error instanceof InvalidFileError) return { count: rows.length, message: error.message, line: error.line };
    throw error;
  }
  return { count: rows.length, message: undefined, line: undefined };
}

describe('rejects a header, also while the file is uploaded:', () => {
  test.each<[string, string | Buffer, RegExp, number | undefined]>([
    ['no header', '', /^The file is empty/, undefined],
    ['only empty lines', '\uFEFF\r\n\n', /^The file is empty/, undefined],
    ['an unknown column', 'name,nome\n', /^Line 1: Unknown columns: nome\. The columns are name, alias, .*contacts\.0\.kind/, 1],
    ['another case', '\n\nname,Alias\n', /^Line 3: Unknown columns: Alias \(use alias\)/, 3],
    ['another case in an array', 'name,Contacts.7.KIND,contacts.7.value\n', /Contacts\.7\.KIND \(use contacts\.7\.kind\)/, 1],
    ['names of prototypes', 'name,__proto__.x,constructor,toString\n', /Unknown columns: __proto__\.x, constructor, toString\./, 1],
    [
      'names of prototypes in objects',
      'name,address.__proto__,address.constructor.name\n',
      /address\.__proto__, address\.constructor\.name\./,
      1,
    ],
    ['an object as a column', 'name,address\n', /Unknown columns: address\./, 1],
    ['an array without a field', 'name,contacts.0,contacts.kind\n', /Unknown columns: contacts\.0, contacts\.kind\./, 1],
    [
      'wrong indexes',
      'name,contacts.100.kind,contacts.01.kind,contacts.-1.kind\n',
      /contacts\.100\.kind, contacts\.01\.kind, contacts\.-1\.kind/,
      1,
    ],
    ['a field of a text', 'name,name.length\n', /Unknown columns: name\.length\./, 1],
    ['many unknown columns', `name,${Array.from({ length: 500 }, (_, index) => `x${index}`).join()}\n`, /x9 and 490 more\./, 1],
    // Would take minutes if the names of unknown columns were searched for each element.
    [
      'elements with wrong indexes',
      `name,${Array.from({ length: 40_000 }, (_, index) => `contacts.${index + 100}.kind`).join()}\n`,
      /^Line 1: Unknown columns: .* and 39990 more\./,
      1,
    ],
    ['a missing column', 'alias\n', /^Line 1: Missing columns: name\.$/, 1],
    ['a missing column of an object', 'name,address.latitude\n', /Missing columns: address\.zipCode, address\.cityCode\.$/, 1],
    [
      'a missing column of an element',
      'name,contacts.1.kind,contacts.1.value,contacts.2.value\n',
      /Missing columns: contacts\.2\.kind\.$/,
      1,
    ],
    ['a column twice', 'name, name,id,id\n', /Columns that occur more than once: name, id\.$/, 1],
    ['a column without a name', 'name,,\n', /^Line 1: Column 2 has no name\.$/, 1],
    ['a broken quote', '"name\n', /^Line 1: A quotation mark/, 1],
    ['a quote in a cell', 'na"me\n', /^Line 1: A quotation mark/, 1],
    ['Latin-1', Buffer.from('name,país\n', 'latin1'), /^Line 1: The text is not UTF-8.*CSV UTF-8/, 1],
    ['UTF-16 with a mark', Buffer.from('\uFEFFname\n', 'utf16le'), /^The file is UTF-16.*CSV UTF-8/, undefined],
    ['UTF-16 big endian', Buffer.from('\uFEFFname\n', 'utf16le').swap16(), /^The file is UTF-16.*CSV UTF-8/, undefined],
    ['UTF-16 without a mark', Buffer.from('name\n', 'utf16le'), /^Line 1: The file has NUL bytes.*CSV UTF-8/, 1],
    ['a workbook', Buffer.from('PK\u0003\u0004\u0014'), /^The file is a workbook/, undefined],
  ])('%s', async (_, file, message, line) => {
    expect(await readUntilError(file)).toEqual({ count: 0, message: expect.stringMatching(message) as string, line });
    expect(() => checkFileHead(bytesOf(file), options, true)).toThrow(message);
  });

  test('of NDJSON only the encoding', () => {
    const ndjson = { ...options, format: 'ndjson' } as const;
    for (const text of ['', 'nome', '"']) expect(() => checkFileHead(Buffer.from(text), ndjson)).not.toThrow();
    expect(() => checkFileHead(Buffer.from('{}\né', 'latin1'), ndjson, true)).toThrow('Line 2: The text is not UTF-8');
  });
});

describe('rejects the rest of a file, after the rows before:', () => {
  const good = `name,alias\n${'"ã\r\nã",1\n'.repeat(3000)}`;
  test.each<[string, string | Buffer, RegExp, number]>([
    ['a quote that is not closed', `${good}"x,1\ny,2\n`, /A quotation mark/, 6002],
    ['text after a quote', `${good}x,1\n"y"z,2\n`, /A quotation mark/, 6003],
    ['a quote in a cell', `${good}\nx,5" pipe\n`, /A quotation mark/, 6003],
    ['Latin-1', Buffer.concat([Buffer.from(`${good}x,1\n`), Buffer.from('é,1\n', 'latin1')]), /not UTF-8/, 6003],
    ['a cut character', Buffer.concat([Buffer.from(`${good}x,1\nx`), Buffer.from('😀').subarray(0, 3)]), /not UTF-8/, 6003],
    ['NUL', `${good}x,1\ny\0,1\n`, /NUL bytes/, 6003],
  ])('%s', async (_, file, message, line) => {
    const { count, ...error } = await readUntilError(file);
    expect(error).toEqual({ message: expect.stringMatching(message) as string, line });
    expect(error.message).toMatch(new RegExp(`^Line ${line}: `));
    // The encoding is checked by blocks of 16 KiB.
    expect(count).toBeGreaterThan(1400);
  });
});

describe('limits the size of rows:', () => {
  test.each<[string, 'csv' | 'ndjson', string, number, number | undefined]>([
    ['as long as allowed', 'csv', `name\n${'x'.repeat(99)}\nb\n`, 2, undefined],
    ['a byte too long', 'csv', `name\na\n\n${'x'.repeat(100)}\nb\n`, 1, 4],
    ['bytes, not characters', 'csv', `name\na\n${'é'.repeat(50)}\n`, 1, 3],
    ['never ends', 'csv', `name\na\n"${'x\n'.repeat(100_000)}`, 1, 3],
    ['empty lines do not count', 'csv', `name\na\n${'\r\n'.repeat(100_000)}b`, 2, undefined],
    ['NDJSON as long as allowed', 'ndjson', `{"a":"${'x'.repeat(91)}"}\n\n{}`, 2, undefined],
    ['NDJSON a byte too long', 'ndjson', `\n{}\n{"a":"${'x'.repeat(92)}"}\n{}`, 1, 3],
    ['NDJSON that never ends', 'ndjson', `{}\n${'['.repeat(100_000)}`, 1, 2],
  ])('%s', async (_, format, file, count, line) => {
    const { message, ...result } = await readUntilError(file, { format, maxRowBytes: 100 });
    expect(result).toEqual({ count, line });
    expect(message?.includes('more than 100 bytes')).toBe(line === undefined ? undefined : true);
  });

  test.each([`name${' '.repeat(100)}\n`, `"name${' '.repeat(100_000)}`])('header %#', async (file) => {
    expect(await readUntilError(file, { maxRowBytes: 100 })).toMatchObject({ message: expect.stringContaining('too long'), line: 1 });
  });
});

describe('checkFileHead:', () => {
  test('accepts a head that is cut within a character', () => {
    const head = Buffer.from('\uFEFFname\n😀');
    for (const cut of [1, 2, 3]) checkFileHead(head.subarray(0, -cut), options);
    expect(() => checkFileHead(head.subarray(0, -1), options, true)).toThrow('Line 2: The text is not UTF-8');
  });

  test('rejects bytes after the header that are not UTF-8', () => {
    expect(() => checkFileHead(Buffer.from('name\na\né\nb\n', 'latin1'), options)).toThrow('Line 3: The text is not UTF-8');
  });

  test('rejects a header that does not end, unless it is the whole file', () => {
    for (const head of ['name', '"name\n', '\n\n', '']) expect(() => checkFileHead(Buffer.from(head), options)).toThrow('too long');
    expect(() => checkFileHead(Buffer.from('name'), options, true)).not.toThrow();
  });
});
