import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { InvalidFileError, openRecordFile, recordWriter } from '../../src/index.ts';
import { body, chunksOf, options, readAll } from './body.ts';

/** Texts of characters that CSV, spreadsheets or this package handle specially, without NUL and lone surrogates. */
const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...Array.from(`"'=+-@\t\r\n,;|\uFEFF 1E.ãé😀`)),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
});
const text = anyText.filter((value) => value !== '' && !value.includes('\0') && !/^'*-?\d(?:[.,]\d+)?E\+\d{1,2}$/i.test(value));

const record = z.object({
  name: z.string(),
  alias: z.string().nullable(),
  active: z.boolean(),
  place: z.object({ latitude: z.number().nullable(), note: z.string() }),
  metadata: z.record(z.string(), z.unknown()).nullable(),
});
const keys = { noNullPrototype: true } as const;
const records = fc.array(
  fc.record(
    {
      name: text,
      alias: fc.option(text),
      active: fc.boolean(),
      place: fc.record(
        {
          latitude: fc.option(fc.double({ noNaN: true, min: -180, max: 180 }).map((value) => value + 0)),
          note: text,
        },
        keys,
      ),
      metadata: fc.option(
        fc.dictionary(
          text.filter((key) => key !== '__proto__'),
          fc.oneof(text, fc.integer(), fc.constant(null)),
          { noNullPrototype: true },
        ),
      ),
    },
    keys,
  ),
  { maxLength: 5 },
);

test('reads what the writer wrote', async () => {
  await fc.assert(
    fc.asyncProperty(
      records,
      fc.constantFrom(',', ';', '\t'),
      fc.boolean(),
      fc.constantFrom('csv', 'ndjson'),
      async (all, delimiter, bom, format) => {
        const { head, lines } = recordWriter(record, { format, delimiter, bom });
        const rows = await readAll(head + lines(all), { format, body: record });
        expect(rows.flatMap(({ errors }) => errors)).toEqual([]);
        expect(rows.map(({ input }) => input)).toStrictEqual(all);
      },
    ),
    { numRuns: 500 },
  );
});

/** Columns, rows and error of a file that is divided at these offsets. */
async function outcome(file: Uint8Array, cuts: readonly number[], format: 'csv' | 'ndjson') {
  const read: unknown[] = [];
  try {
    const { columns, rows } = await openRecordFile(chunksOf(file, cuts), { ...options, format, maxRowBytes: 40_000 });
    read.push(columns);
    for await (const part of rows) read.push(part);
  } catch (error) {
    if (!(error instanceof InvalidFileError)) throw error;
    read.push(error.message, error.line);
  }
  return read;
}

/** Pieces of files, most of which are valid. Long ones make files of several blocks. */
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a,1\n', '"ã\r\n""",2\r\n', '😀,\r', '\n', ',\n', '{"name":"é"}\n', 'x\n') },
  { weight: 2, arbitrary: fc.constantFrom('b,2\r\n'.repeat(4000), `${'€'.repeat(8000)},\n`, `"${'\r\n'.repeat(9000)}",\r\n`) },
  { weight: 1, arbitrary: fc.constantFrom('"', '\0', '\\xff', '\r\n"a"b', 'z'.repeat(50_000)) },
);
const files = fc
  .tuple(fc.constantFrom('name,alias\r\n', '\uFEFFname,alias\n', '\r\rname,alias\r', 'nome\n', ''), fc.array(piece, { maxLength: 12 }))
  .map(([head, pieces]) => Buffer.concat([head, ...pieces].map((part) => (part === '\\xff' ? Buffer.from([0xff]) : Buffer.from(part)))));

test('reads the same, however the file is divided', async () => {
  await fc.assert(
    fc.asyncProperty(
      files,
      fc.array(fc.double({ noNaN: true, min: 0, max: 1 }), { maxLength: 20 }),
      fc.constantFrom('csv', 'ndjson'),
      async (file, at, format) => {
        const cuts = at.map((part) => Math.floor(part * file.length)).toSorted((one, other) => one - other);
        expect(await outcome(file, cuts, format)).toEqual(await outcome(file, [], format));
      },
    ),
    { numRuns: 50 },
  );
});

test('reads the same byte by byte', async () => {
  const file = Buffer.from('\uFEFFname,alias\r\n"ã\r\n😀",1\r\nb,2\n\nc,"3');
  const cuts = Array.from({ length: file.length }, (_, index) => index);
  expect(await outcome(file, cuts, 'csv')).toEqual(await outcome(file, [], 'csv'));
  expect((await outcome(file, cuts, 'csv')).at(-1)).toBe(6);
});

test('reads arbitrary headers without a change of a prototype', async () => {
  const name = fc.oneof(
    fc.constantFrom('name', '__proto__', '__proto__.x', 'constructor.prototype.x', 'contacts.0.__proto__', 'contacts.__proto__.kind'),
    text,
  );
  await fc.assert(
    fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 4 }), async (names) => {
      const cells = names.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
      await outcome(Buffer.from(`${cells}\n${cells}\n`), [], 'csv');
      expect(Object.keys(Object.prototype)).toEqual([]);
      expect(body.shape).not.toHaveProperty('x');
    }),
  );
});
