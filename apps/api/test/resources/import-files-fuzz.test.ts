import { importTypes } from '@profile-service/contracts';
import { saoPaulo } from '@profile-service/contracts/examples';
import { columnsOf, csvLines } from '@profile-service/record-files';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import { importEnd, importResults, uploadImport } from '../support/imports.ts';
import { useWorldWithMap } from '../support/organizations.ts';
import type { Person } from '../support/people.ts';

const world = useWorldWithMap();
/** Imports of a tenant run one after the other, so each file of a round has a tenant of its own. */
const filesOfRound = 8;
const people = duringTests(async () => {
  const admin = async () => {
    const { id } = await world.tenant();
    return { ...(await world.person({ [id]: 'tenant-admin' })), tenant: id };
  };
  return { admins: await Promise.all(Array.from({ length: filesOfRound }, admin)) };
});

/** Columns and cells of a valid row. The tax ids of a file repeat each other. */
const { cityCode, stateCode } = saoPaulo;
const place = { zipCode: '01001-000', street: 'Praça da Sé', number: '1', cityCode, stateCode };
const valid = fc
  .oneof(
    fc.constantFrom('12.345.678/0001-95', '123.456.789-09', '12ABC34501DE35', '1'),
    fc.integer({ min: 0, max: 1e9 }).map((taxId) => String(10 ** 13 + taxId)),
  )
  .map((federalTaxId) => ({
    name: 'Vale',
    federalTaxId,
    ...Object.fromEntries(Object.entries(place).map(([k, v]) => [`address.${k}`, String(v)])),
  }));
const { row, ignored } = importTypes.organizations;
const columns = [...columnsOf(row, [], () => 2).map(({ name }) => name), ...ignored];
const odd = fc.oneof(
  fc.constantFrom('', '=1', '1,23E+13', 'sim', '{}', '{"a":1e999}', '[1]', '-', '\uFFFF', '__proto__', "'", '"', '\0'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
/** Null for 9 of 10 values. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

const csv = fc
  .record({
    more: fc.uniqueArray(fc.constantFrom(...columns), { maxLength: 4 }),
    wrongColumn: rarely(odd),
    rows: fc.array(fc.tuple(valid, fc.array(rarely(odd), { minLength: 4, maxLength: 4 }), rarely(odd)), { maxLength: 70, size: 'large' }),
    delimiter: fc.constantFrom(',', ';', '\t'),
    bom: fc.constantFrom('', '\uFEFF'),
    tail: rarely(fc.constantFrom('\n\n', '"', '\0', '\n"a"b')),
  })
  .map(({ more, wrongColumn, rows, delimiter, bom, tail }) => {
    const header = [
      ...new Set([...Object.keys(rows[0]?.[0] ?? { name: '', federalTaxId: '' }), ...more, ...(wrongColumn === null ? [] : [wrongColumn])]),
    ];
    const lines = rows.map(([cells, others, replaced]) => {
      const line = header.map((column, index) => (cells as Record<string, string>)[column] ?? others[index % others.length] ?? '');
      return replaced === null ? line : [...line.slice(2), replaced, ...line.slice(0, 1)];
    });
    return bom + csvLines([header, ...lines], delimiter) + (tail ?? '');
  });
const ndjson = fc
  .array(
    fc.oneof(
      fc.json(),
      fc
        .tuple(
          valid,
          fc.object().map((value) => JSON.stringify(value)),
        )
        .map(
          ([value, metadata]) =>
            `{"name":${JSON.stringify(value.name)},"federalTaxId":"${value.federalTaxId}","metadata":${metadata},"address":${JSON.stringify({ ...place, zipCode: '01001000' })}}`,
        ),
      odd,
    ),
    { maxLength: 70 },
  )
  .map((lines) => lines.join('\n'));
const files = fc.record({
  content: fc.oneof(
    csv.map((text) => ({ format: 'csv', text })),
    ndjson.map((text) => ({ format: 'ndjson', text })),
  ),
  isLatin1: rarely(fc.constant(true)),
  mode: fc.constantFrom('create', 'upsert'),
  dryRun: fc.constantFrom('true', 'false'),
});

type AnyFile = typeof files extends fc.Arbitrary<infer File> ? File : never;

/** Imports the file, and returns what it must be: `REFUSED`, or how it ended with the counts of its results. */
async function outcomeOf(admin: Person, { content: { format, text }, isLatin1, mode, dryRun }: AnyFile) {
  const fields = { type: 'organizations', format, mode, dryRun };
  const { status, code, body } = await uploadImport(world, admin, fields, Buffer.from(text, isLatin1 ? 'latin1' : 'utf8'));
  if (status === 400 && code === 'INVALID_IMPORT_FILE') return { status: 'REFUSED', expected: {} };
  const done = await importEnd(world, admin, body.id);
  const results = await importResults(world, admin, body.id);
  const count = (each: string) => results.filter((result) => result.status === each).length;
  const isOrdered = results.every((result, index) => result.row === index + 1 && result.code !== 'INTERNAL_ERROR');
  const [created, updated, unchanged, failed] = ['CREATED', 'UPDATED', 'UNCHANGED', 'FAILED'].map(count);
  const isCompleted = done.status === 'COMPLETED' && { rows: results.length, code: null };
  const end = isCompleted || { status: 'FAILED', rows: null, code: 'INVALID_IMPORT_FILE' };
  return { ...done, isOrdered, expected: { ...end, processed: results.length, created, updated, unchanged, failed, isOrdered: true } };
}

// Rules: IMPORTS-7, IMPORTS-8, IMPORTS-13, IMPORTS-21
test('an import of any file is refused or ends, and its counts are those of its results', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(files, { minLength: filesOfRound, maxLength: filesOfRound }), async (round) => {
      const found = await Promise.all(round.map((file, index) => outcomeOf(people.admins[index] as Person, file)));
      expect(found).toMatchObject(found.map(({ status, expected }) => ({ status, ...expected })));
    }),
    { numRuns: 15, plugins: [fc.interruptAfterTimeLimit(60_000)] },
  );
});
