import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { headersOf } from '../support/call.ts';
import { csvOf, holdOrganization, organizationRow, writtenBy } from '../support/import-rows.ts';
import { importEnd, importResults, importResultsText, runImport, uploadImport } from '../support/imports.ts';
import { useWorldWithMap } from '../support/organizations.ts';
import { useMember, useTenant } from '../support/use-people.ts';

const world = useWorldWithMap();
const tenant = useTenant(world);
const admin = useMember(world, tenant, 'tenant-admin');

const csvResults = async (id: string, query = '', delimiter = ',') =>
  parse(await importResultsText(world, admin, id, `format=csv&${query}`), { columns: true, delimiter }) as Record<string, string>[];

/** Imports four rows, of which the second and the last fail, from a file with semicolons. */
async function someFailed() {
  const rows = [1, 2, 3, 4].map((number) => organizationRow(world.newTaxId(), { name: `Número ${number}`, alias: "'=1+1" }));
  const [one = {}, two = {}, three = {}, four = {}] = rows;
  const broken = [one, { ...two, 'address.zipCode': '0100-000' }, three, { ...four, federalTaxId: one['federalTaxId'] ?? '' }];
  const file = csvOf(broken).replaceAll(',', ';');
  return { ...(await runImport(world, admin, { type: 'organizations' }, file)), broken, corrected: [two, four] };
}

// Rules: IMPORTS-21
test('the results as NDJSON and as CSV have a line for each row, and `status` filters both', async () => {
  const { done, results, broken } = await someFailed();
  expect(results.map(({ row, status }) => [row, status])).toEqual([
    [1, 'CREATED'],
    [2, 'FAILED'],
    [3, 'CREATED'],
    [4, 'FAILED'],
  ]);
  expect(Object.keys(results[0] ?? {})).toEqual(['row', 'status', 'id', 'code', 'errors']);
  // Results come first; the columns of the file follow with its cells.
  const expected = results.map(({ row, status, id, code, errors }, index) => ({
    row: String(row),
    status,
    id: id ?? '',
    code: code ?? '',
    errors: JSON.stringify(errors),
    ...Object.fromEntries(Object.entries(broken[index] ?? {}).map(([column, cell]) => [column, String(cell)])),
  }));
  expect(await csvResults(done.id, '', ';')).toEqual(expected);
  expect(await csvResults(done.id, 'status=FAILED', ';')).toEqual([expected[1], expected[3]]);
  expect(await importResults(world, admin, done.id, 'status=FAILED')).toEqual([results[1], results[3]]);
  expect(await importResults(world, admin, done.id, 'status=UPDATED')).toEqual([]);
  expect((await world.call(admin, `GET /api/imports/${done.id}/results?status=DONE`)).code).toBe('VALIDATION_FAILED');
});

// Rules: IMPORTS-21
test('the CSV file of the failed rows can be corrected and sent again, and then succeeds', async () => {
  const { done, corrected } = await someFailed();
  const failed = await csvResults(done.id, 'status=FAILED', ';');
  const rows = failed.map((row, index) => ({ ...row, errors: '', ...corrected[index] }));
  const again = await runImport(world, admin, { type: 'organizations' }, csvOf(rows));
  expect(again.done).toMatchObject({ status: 'COMPLETED', created: 2, failed: 0 });
  expect(await writtenBy(world, again.done)).toHaveLength(2);
  // The results of this file have the columns of the results once.
  const [head] = (await importResultsText(world, admin, again.done.id, 'format=csv')).split('\r\n');
  expect(head?.split(',').filter((column) => ['row', 'status', 'id', 'code', 'errors'].includes(column))).toHaveLength(5);
});

// Rules: IMPORTS-21
test('the results as CSV have the delimiter and the byte order mark of the file, and escape formulas once', async () => {
  const rows = ['=1+1', "'=1+1"].map((alias) => organizationRow(world.newTaxId(), { alias }));
  const file = `\uFEFF${csvOf(rows).replaceAll(',', '\t')}`;
  const { done } = await runImport(world, admin, { type: 'organizations' }, file);
  const bytes = await (
    await fetch(`${world.service.url}/api/imports/${done.id}/results?format=csv`, { headers: headersOf(admin) })
  ).arrayBuffer();
  const text = Buffer.from(bytes).toString();
  expect(text).toMatch(/^\uFEFFrow\tstatus\t/);
  expect((parse(text, { columns: true, delimiter: '\t', bom: true }) as { alias: string }[]).map((each) => each.alias)).toEqual([
    "'=1+1",
    "'=1+1",
  ]);
});

// Rules: IMPORTS-21
test('while an import runs, its results are those of the rows that are done', async () => {
  const taxIds = Array.from({ length: 100 }, () => world.newTaxId());
  const hold = await holdOrganization(world, taxIds[99] ?? '');
  const { id } = (await uploadImport(world, admin, { type: 'organizations' }, csvOf(taxIds.map((taxId) => organizationRow(taxId))))).body;
  await hold.reached();
  const { body } = await world.call<{ processed: number }>(admin, `GET /api/imports/${id}`);
  expect(body).toMatchObject({ status: 'RUNNING', rows: 100, finishedAt: null });
  expect(body.processed).toBeGreaterThan(0);
  expect(body.processed).toBeLessThan(100);
  for (const found of [await importResults(world, admin, id), await csvResults(id)]) expect(found).toHaveLength(body.processed);
  await hold.release();
  await importEnd(world, admin, id);
  expect((await csvResults(id)).map(({ federalTaxId }) => federalTaxId)).toEqual(taxIds);
});

// Rules: IMPORTS-8, IMPORTS-21
test('an import whose file turns out to be invalid has no results, in both formats', async () => {
  // The first MiB is valid.
  const rows = Array.from({ length: 12_000 }, () => organizationRow(world.newTaxId(), { alias: 'x'.repeat(30) }));
  const file = new Uint8Array(Buffer.concat([Buffer.from(`${csvOf(rows)}\r\n`), Buffer.from('S\xE3o', 'latin1')]));
  const { body } = await uploadImport(world, admin, { type: 'organizations' }, file);
  expect(await importEnd(world, admin, body.id)).toMatchObject({ status: 'FAILED', code: 'INVALID_IMPORT_FILE', processed: 0 });
  expect(await importResultsText(world, admin, body.id)).toBe('');
  expect(await importResultsText(world, admin, body.id, 'format=csv')).toBe(
    `row,status,id,code,errors,${Object.keys(rows[0] ?? {}).join()}\r\n`,
  );
});

// Rules: IMPORTS-21
test.each(['ndjson', 'csv'])('HEAD of the results as %s has the headers of GET', async (format) => {
  const { done } = await runImport(world, admin, { type: 'organizations' }, csvOf([organizationRow(world.newTaxId())]));
  const head = async (method: string, id: string) => {
    const response = await fetch(`${world.service.url}/api/imports/${id}/results?format=${format}`, { method, headers: headersOf(admin) });
    const headers = ['content-type', 'content-disposition'].map((name) => response.headers.get(name));
    return [response.status, ...headers, method === 'HEAD' ? await response.text() : ''];
  };
  const expected = [200, format === 'csv' ? 'text/csv' : 'application/x-ndjson', expect.stringMatching(`import-results.*\\.${format}`), ''];
  expect([await head('HEAD', done.id), await head('GET', done.id)]).toEqual([expected, expected]);
  expect((await head('HEAD', admin.id))[0]).toBe(404);
});
