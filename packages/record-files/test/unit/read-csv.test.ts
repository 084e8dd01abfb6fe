import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { InvalidFileError, openRecordFile } from '../../src/index.ts';
import { body, chunksOf, options, readAll } from './body.ts';

const shortened = expect.stringContaining('shortened') as string;
const notBoolean = 'Expected one of true, sim, verdadeiro, 1, false, não, nao, falso, 0';

describe('converts a cell:', () => {
  test.each([
    ['name', 'x', { name: 'x' }],
    ['name', '  x ', { name: '  x ' }],
    ['name', "'=1+1", { name: '=1+1' }],
    ['name', "''@x", { name: "'@x" }],
    ['name', "'x", { name: "'x" }],
    ['name', '"a ""b"", c\n"', { name: 'a "b", c\n' }],
    ['type', 'no such', { type: 'no such' }],
    ['active', 'TRUE', { active: true }],
    ['active', ' Sim ', { active: true }],
    ['active', 'verdadeiro', { active: true }],
    ['active', '1', { active: true }],
    ['active', 'false', { active: false }],
    ['active', 'NÃO', { active: false }],
    ['active', 'na\u0303o', { active: false }],
    ['active', 'nao', { active: false }],
    ['active', 'Falso', { active: false }],
    ['active', '0', { active: false }],
    ['metadata', '"{""a"":[1,null]}"', { metadata: { a: [1, null] } }],
    ['metadata', '1E+13', { metadata: 1e13 }],
    ['contacts', '"[{""kind"":""k""}]"', { contacts: [{ kind: 'k' }] }],
    ['tags', '"a, b,,c"', { tags: ['a', 'b', 'c'] }],
    ['tags', '"[""a,b""]"', { tags: ['a,b'] }],
    ['sizes', '"1,2.5"', { sizes: [1, 2.5] }],
  ])('%s %j', async (column, cell, expected) => {
    const [row] = await readAll(column === 'name' ? `name;id\n${cell};1\n` : `name;${column}\nn;${cell}\n`, { delimiter: ';' });
    expect(row).toMatchObject({ errors: [], input: { name: 'n', ...expected } });
  });

  test.each([
    ['123', 123],
    ['-23.5', -23.5],
    ['"-23,5"', -23.5],
    ["'-23.5", -23.5],
    ['007', 7],
    ['1e-7', 1e-7],
  ])('number %s', async (cell, latitude) => {
    const rows = await readAll(`name,address.zipCode,address.cityCode,address.latitude\nn,1,2,${cell}\n`);
    expect(rows).toMatchObject([{ errors: [], input: { address: { latitude } } }]);
  });

  test.each([
    ['01.001-000', '01001000'],
    [' 12.345.678/0001-9a ', '1234567800019a'],
    ['é1', 'é1'],
  ])('code %j', async (cell, zipCode) => {
    const rows = await readAll(`name,address.zipCode,address.cityCode,contacts.3.kind,contacts.3.value\nn,${cell},1,k,${cell}\n`);
    expect(rows[0]?.input).toMatchObject({ address: { zipCode }, contacts: [{ value: zipCode }] });
  });
});

describe('reports a cell that cannot be converted, and leaves its value out:', () => {
  test.each([
    ['sizes', '1;x', 'Expected a number'],
    ['sizes', '+1', 'Expected a number'],
    ['sizes', '0x10', 'Expected a number'],
    ['address.latitude', ' 1', 'Expected a number'],
    ['address.latitude', '1.000.000', 'Expected a number'],
    ['sizes', 'Infinity', 'Expected a number'],
    ['sizes', '9'.repeat(400), 'Expected a number'],
    ['active', 'yes', notBoolean],
    ['active', 'constructor', notBoolean],
    ['metadata', '{a}', 'Expected JSON'],
    ['metadata', '"{""__proto__"":{}}"', 'The key __proto__ is not allowed'],
    ['metadata', '['.repeat(100) + ']'.repeat(100), 'Nested deeper than 64 levels'],
    ['alias', '"1,23E+13"', shortened],
    ['alias', '-1.23e+13', shortened],
    ['alias', "'-1.23e+13", shortened],
    ['tags', '5E+9', shortened],
    ['active', '1E+1', shortened],
    ['address.zipCode', '1.1E+13', shortened],
    ['contacts.0.value', '1.1E+13', shortened],
  ])('%s %j', async (column, cell, message) => {
    const [object = '', ...field] = column.split('.');
    const needed = ['address.zipCode', 'address.cityCode', 'contacts.0.kind'].filter(
      (name) => name.startsWith(`${object}.`) && name !== column,
    );
    const [row] = await readAll(`${[column, ...needed, 'name'].join()}\n${cell},${needed.map(() => ',').join('')}n\n`, { delimiter: ',' });
    expect(row?.errors).toEqual([{ path: column, message }]);
    const parent = object === 'contacts' ? [{}] : {};
    expect(row?.input).toStrictEqual({ name: 'n', ...(field.length > 0 && { [object]: parent }) });
  });

  test('reports the columns by their names, also of array elements', async () => {
    const rows = await readAll('name,contacts.2.kind,contacts.2.value,contacts.2.isPrimary\nn,k,v,maybe\n');
    expect(rows).toMatchObject([
      { errors: [{ path: 'contacts.2.isPrimary', message: notBoolean }], input: { contacts: [{ kind: 'k', value: 'v' }] } },
    ]);
  });
});

describe('empty cells:', () => {
  test('null if the field is nullable, otherwise absent', async () => {
    const [row] = await readAll('name,alias,type,active,metadata,tags\nn,,,,,\n');
    expect(row?.input).toStrictEqual({ name: 'n', alias: null, metadata: null });
  });

  test('a column that is missing leaves its field absent', async () => {
    expect((await readAll('name\nn\n'))[0]?.input).toStrictEqual({ name: 'n' });
  });

  test('an object without a cell is absent, and has null in one with a cell', async () => {
    const rows = await readAll('name,address.zipCode,address.cityCode,address.latitude,address.country\nn,,,,\nn,1,,,\nn,-,,,\nn,,x,,\n');
    expect(rows.map(({ input }) => input['address'])).toStrictEqual([
      undefined,
      { zipCode: '1', latitude: null, country: null },
      undefined,
      { latitude: null, country: null },
    ]);
  });

  test('array elements without a cell are left out, and others keep the order of their indexes', async () => {
    const rows = await readAll('name,contacts.10.kind,contacts.10.value,contacts.2.kind,contacts.2.value\nn,a,,b,1\nn,a,,,\nn,,,,\n');
    expect(rows.map(({ input }) => input['contacts'])).toStrictEqual([
      [
        { kind: 'b', value: '1' },
        { kind: 'a', value: null },
      ],
      [{ kind: 'a', value: null }],
      undefined,
    ]);
  });
});

describe('the rows of a file:', () => {
  test('numbers rows without empty ones, and lines with them', async () => {
    const rows = await readAll('\n\r\nname,alias\n\na,1\r\n,\n"b\r\nb\nb",2\n"",\r\rc,3\r\n\n\n');
    expect(rows.map(({ row, line, cells }) => [row, line, ...cells])).toEqual([
      [1, 5, 'a', '1'],
      [2, 7, 'b\r\nb\nb', '2'],
      [3, 12, 'c', '3'],
    ]);
  });

  test.each(['\n', '\r\n', '\r'])('reads lines that end with %j', async (end) => {
    const rows = await readAll(['name,alias', 'a,1', 'b,2'].join(end));
    expect(rows.map(({ line, cells }) => [line, ...cells])).toEqual([
      [2, 'a', '1'],
      [3, 'b', '2'],
    ]);
  });

  test('keeps the cells as they are in the file, in the order of the columns', async () => {
    const { columns, rows } = await openRecordFile(chunksOf(Buffer.from("id, name ,alias\n7,'=1, x \n")), options);
    expect(columns).toEqual(['id', 'name', 'alias']);
    expect(await Array.fromAsync(rows)).toEqual([
      [{ row: 1, line: 2, input: { name: '=1', alias: ' x ' }, errors: [], cells: ['7', "'=1", ' x '] }],
    ]);
  });

  test('reports a row of the wrong length, and reads the others', async () => {
    const rows = await readAll('name,alias\na\nb,1\nc,1,2\n');
    expect(rows.map(({ errors }) => errors)).toEqual([
      [{ path: '', message: 'Expected 2 cells, found 1' }],
      [],
      [{ path: '', message: 'Expected 2 cells, found 3' }],
    ]);
    expect(rows[2]).toMatchObject({ row: 3, input: {}, cells: ['c', '1', '2'] });
  });

  test.each([
    [',', 'name,"a;b;c"'],
    [';', 'name;id'],
    ['\t', 'name\tid\tcreatedAt'],
    [',', 'name'],
  ])('finds the delimiter %j of the header %j', async (delimiter, header) => {
    const ignored = ['id', 'createdAt', 'a;b;c'];
    const cells = header.split(delimiter).map((_, index) => (index === 0 ? 'n' : '1,2;3'));
    const rows = await readAll(`${header}\n${cells.map((cell) => `"${cell}"`).join(delimiter)}`, { ignored });
    expect(rows).toMatchObject([{ input: { name: 'n' }, errors: [], cells }]);
  });

  test.each(['name', 'name\n', '\uFEFFname\r\n\r\n\r\n'])('%j has no rows', async (file) => {
    expect(await readAll(file)).toEqual([]);
  });

  test('yields parts of at most 200 rows, and reads the content as they are asked for', async () => {
    let read = 0;
    let closed = false;
    const chunk = Buffer.from('n\n'.repeat(10_000));
    async function* content() {
      try {
        yield Buffer.from('name\n');
        for (; read < 1000; read += 1) yield chunk;
      } finally {
        closed = true;
      }
    }
    const { rows } = await openRecordFile(content(), options);
    for (let part = 0; part < 3; part += 1) expect((await rows.next()).value).toHaveLength(200);
    expect(read).toBeLessThan(3);
    expect(closed).toBe(false);
    await rows.return(undefined);
    expect(closed).toBe(true);
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 7])('reads characters and line ends across blocks of 16 KiB, %i bytes before the end', async (before) => {
    const long = `${'x'.repeat(16 * 1024 - 'name\n'.length - before)}😀`;
    const rows = await readAll(`name\n${long}\r\n"b"\r\n`);
    expect(rows.map(({ line, cells }) => [line, ...cells])).toEqual([
      [2, long],
      [3, 'b'],
    ]);
    const header = `${'name'.padStart(16 * 1024 - before)}\r\nb`;
    expect((await readAll(header)).map(({ line }) => line)).toEqual([2]);
  });

  test('yields fewer rows if they are long', async () => {
    const { rows } = await openRecordFile(chunksOf(Buffer.from(`name\n${`${'n'.repeat(100_000)}\n`.repeat(50)}`)), options);
    const parts = await Array.fromAsync(rows);
    expect(parts.flat()).toHaveLength(50);
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(11);
  });
});

test.each(['csv', 'ndjson'] as const)('closes the content if the rows of %s are closed before they are read', async (format) => {
  let closed = false;
  async function* content() {
    try {
      for (;;) yield Buffer.from('name\n{}\n');
    } finally {
      closed = true;
    }
  }
  const { rows } = await openRecordFile(content(), { ...options, format });
  await rows.return(undefined);
  expect(closed).toBe(true);
  expect(await rows.next()).toEqual({ done: true, value: undefined });
});

test('closes the content if the header is invalid, and passes an error of the content on', async () => {
  let closed = false;
  async function* content() {
    try {
      yield Buffer.from(`wrong\n${'x\n'.repeat(20_000)}`);
    } finally {
      closed = true;
    }
  }
  await expect(openRecordFile(content(), options)).rejects.toThrow(InvalidFileError);
  expect(closed).toBe(true);

  async function* broken() {
    yield Buffer.from('name\na\n');
    throw new Error('connection lost');
  }
  await expect(Array.fromAsync((await openRecordFile(startsWhole(broken()), options)).rows)).rejects.toThrow('connection lost');
});

/** Fills the first block, so that the header can be read. */
async function* startsWhole(content: AsyncIterable<Uint8Array>) {
  yield Buffer.from(`name\n${'a\n'.repeat(10_000)}`);
  yield* content;
}

test('a schema whose object is required requires its columns', async () => {
  const strict = z.object({ address: body.shape.address.unwrap().unwrap(), note: z.string().nullable() });
  await expect(readAll('note\n', { body: strict })).rejects.toThrow(/Missing columns: address\.zipCode, address\.cityCode\.$/);
});
