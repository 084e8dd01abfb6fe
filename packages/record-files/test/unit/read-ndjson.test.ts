import { expect, test } from 'vitest';
import { openRecordFile, recordWriter, templateOf, type WriteOptions } from '../../src/index.ts';
import { body, chunksOf, options, readAll } from './body.ts';

const notObject = [{ path: '', message: 'Expected a JSON object' }];

test.each([
  ['{"name":" x","active":"sim","constructor":1}', { name: ' x', active: 'sim', constructor: 1 }, []],
  ['{"name":"\'=1","id":"7","createdAt":1,"address":{"id":1}}', { name: "'=1", address: { id: 1 } }, []],
  ['{"name":"a","name":"b"}\r', { name: 'b' }, []],
  ['[]', {}, notObject],
  ['null', {}, notObject],
  ['"x"', {}, notObject],
  ['{"name":', {}, notObject],
  ['{"__proto__":{"admin":true}}', {}, [{ path: '', message: 'The key __proto__ is not allowed' }]],
  [String.raw`{"metadata":[{"\u005f_proto__":1}]}`, {}, [{ path: '', message: 'The key __proto__ is not allowed' }]],
  [`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, {}, [{ path: '', message: 'Nested deeper than 64 levels' }]],
])('reads the line %#', async (text, input, errors) => {
  expect(await readAll(`\uFEFF\n${text}\n`, { format: 'ndjson' })).toMatchObject([{ row: 1, line: 2, input, errors }]);
  expect(Object.keys((await readAll(text, { format: 'ndjson' }))[0]?.input ?? {}).toSorted()).toEqual(Object.keys(input).toSorted());
});

test('numbers rows without blank lines, and shows the values as cells of CSV', async () => {
  const file = '{"name":"=1","active":false,"address":{"latitude":-1.5},"contacts":[{"kind":"k"}]}\r\n \r\n\n{"name":null,"address":"x"}';
  const { columns, rows } = await openRecordFile(chunksOf(Buffer.from(file)), { ...options, format: 'ndjson' });
  expect(columns).toEqual(
    'name,alias,type,active,metadata,tags,sizes,address.zipCode,address.cityCode,address.latitude,address.country,contacts'.split(','),
  );
  const all = (await Array.fromAsync(rows)).flat();
  expect(all.map(({ row, line }) => [row, line])).toEqual([
    [1, 1],
    [2, 4],
  ]);
  expect(all[0]?.cells).toEqual(["'=1", '', '', 'false', '', '', '', '', '', "'-1.5", '', '[{"kind":"k"}]']);
  expect(all[1]?.cells.join('')).toBe('');
});

test('reports what `checkJson` rejects, also in a cell of CSV', async () => {
  const checkJson = (text: string) => (text.includes('"a"') ? { path: 'metadata.a', message: 'No a' } : undefined);
  const file = '{"name":"n","metadata":{"a":1}}\n{"name":"n","metadata":{"b":1}}';
  expect(await readAll(file, { format: 'ndjson', checkJson })).toMatchObject([
    { input: {}, errors: [{ path: 'metadata.a', message: 'No a' }] },
    { input: { metadata: { b: 1 } }, errors: [] },
  ]);
  expect(await readAll('name,metadata\nn,"{""a"":1}"\nn,"{""b"":1}"', { checkJson })).toMatchObject([
    { errors: [{ path: 'metadata', message: 'No a' }] },
    { input: { metadata: { b: 1 } }, errors: [] },
  ]);
});

test.each(['', '\n\n', '\uFEFF'])('a file without rows: %j', async (file) => {
  expect(await readAll(file, { format: 'ndjson' })).toEqual([]);
});

const example = {
  name: 'Vale; Verde',
  active: true,
  metadata: { a: 1 },
  tags: ['a,b'],
  address: { zipCode: '01001000', cityCode: 3550308, latitude: -23.5 },
  contacts: [
    { kind: 'PHONE', value: '5511' },
    { kind: 'EMAIL', value: 'a1' },
  ],
};

test.each<WriteOptions>([
  { format: 'csv', delimiter: ',', bom: true },
  { format: 'csv', delimiter: ';', bom: false },
  { format: 'ndjson', delimiter: ',', bom: false },
])('a template can be read: %j', async (write) => {
  const template = templateOf(body, example, write);
  const rows = await readAll(template, { format: write.format });
  expect(rows).toMatchObject([{ input: example, errors: [] }]);
  expect(rows).toHaveLength(1);
  expect(template.startsWith('\uFEFF')).toBe(write.bom);
});

test('a template has the columns of one element if the example has none', () => {
  const template = templateOf(body, { name: 'n' }, { format: 'csv', delimiter: ',', bom: false });
  expect(template).toBe(
    `name,alias,type,active,metadata,tags,sizes,address.zipCode,address.cityCode,address.latitude,address.country,contacts.0.kind,contacts.0.value,contacts.0.isPrimary\r\nn${','.repeat(13)}\r\n`,
  );
});

test('an array of objects is one column of an export', () => {
  const { head } = recordWriter(body, { format: 'csv', delimiter: ',', bom: false });
  expect(head.trim().split(',').at(-1)).toBe('contacts');
});
