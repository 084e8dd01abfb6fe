import { importTypeNames } from '@profile-service/contracts';
import { praca, saoPaulo } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { headersOf } from '../support/call.ts';
import { cpf } from '../support/cpf.ts';
import { form, lookInto } from '../support/files.ts';
import { type ImportBody, type ImportContent, runImport, uploadImport } from '../support/imports.ts';
import { useWorldWithMap } from '../support/organizations.ts';

const world = useWorldWithMap();
const mib = 1024 * 1024;
const customers = { type: 'customers' };
const file = (text: ImportContent = 'name,federalTaxId\n', name = 'file.csv') => new File([text], name);

/** Checks that the request is refused, and that neither a file nor an import remains. */
async function expectRefusal(status: number, code: string, body: FormData, call: typeof world.call = world.call) {
  const state = async () => [await lookInto(world).keys(), await world.sql('select count(*) from imports')];
  const before = await state();
  const answer = await call<{ detail: string; errors: object[] }>(world.global, 'POST /api/imports', body);
  expect([answer.status, answer.code]).toEqual([status, code]);
  await expect.poll(state).toEqual(before);
  return answer.body;
}

describe('the form of an import', () => {
  // Rules: IMPORTS-5
  test.each<[string, string, FormData]>([
    ['without type', 'type', form(['mode', 'create'], ['file', file()])],
    ['with an unknown type', 'type', form(['type', 'tenants'], ['file', file()])],
    ['with only fields after the file', 'type', form(['file', file()], ['type', 'customers'])],
    ['with the mode after the file', 'mode', form(['type', 'customers'], ['file', file()], ['mode', 'upsert'])],
    ['with an unknown mode', 'mode', form(['type', 'customers'], ['mode', 'replace'], ['file', file()])],
    ['with an unknown format', 'format', form(['type', 'customers'], ['format', 'xlsx'], ['file', file()])],
    ['with a name that does not tell the format', 'format', form(['type', 'customers'], ['file', file('x', 'file.txt')])],
    ['with a delimiter of another kind', 'delimiter', form(['type', 'customers'], ['delimiter', '|'], ['file', file()])],
    ['with a wrong dryRun', 'dryRun', form(['type', 'customers'], ['dryRun', 'yes'], ['file', file()])],
  ])('%s is refused', async (_what, path, body) => {
    expect(await expectRefusal(400, 'VALIDATION_FAILED', body)).toMatchObject({ errors: [{ path }] });
  });

  // Rules: IMPORTS-5
  test.each([
    ['cells.txt', { format: 'csv', delimiter: ';' }, 'name;federalTaxId\na;1\n'],
    ['LINES.JSONL', {}, '{"name":"a"}\n'],
    ['lines.csv', { format: 'ndjson' }, '{"name":"a"}\n'],
  ])('says how to read %s', async (name, fields, text) => {
    const { done, results } = await runImport(world, world.global, { ...customers, dryRun: 'true', ...fields }, text, name);
    expect([done.status, done.rows, results[0]?.errors]).toMatchObject(['COMPLETED', 1, [{ path: 'federalTaxId' }]]);
  });

  // Rules: IMPORTS-6
  test('refuses a file of more than IMPORT_MAX_BYTES', async () => {
    const { call } = await world.another({ IMPORT_MAX_BYTES: String(2 * mib) });
    const large = `name,federalTaxId\n${'x'.repeat(2 * mib)}\n`;
    await expectRefusal(413, 'PAYLOAD_TOO_LARGE', form(['type', 'customers'], ['file', file(large)]), call);
  });
});

describe('a file that is refused at once:', () => {
  const required = 'federalTaxId, address.zipCode, address.street, address.number, address.cityCode, address.stateCode';
  // Rules: IMPORTS-7, IMPORTS-8
  test.each<[string, string, ImportContent, RegExp]>([
    ['an empty file', 'organizations', '', /empty/],
    ['a header without required columns', 'organizations', 'name,alias\n', new RegExp(`^Line 1: Missing columns: ${required}\\.$`)],
    [
      'an unknown column',
      'users',
      'name,email,federalTaxId,type,cargo,Jobtitle\n',
      /^Line 1: Unknown columns: cargo, Jobtitle \(use jobTitle\)\./,
    ],
    ['a column twice', 'customers', 'name,federalTaxId,name\n', /occur more than once: name\./],
    ['a workbook with the name of a CSV file', 'customers', 'PK\u0003\u0004\u0014\u0000', /workbook or a ZIP archive.*CSV UTF-8/],
    ['Latin-1', 'customers', Buffer.from('name,federalTaxId\nVale,1\nPão,2\n', 'latin1'), /^Line 3: The text is not UTF-8.*CSV UTF-8/],
    ['a million columns', 'customers', `name,federalTaxId${','.repeat(1_000_000)}\n`, /Column 3 has no name/],
    [
      'unknown columns of many elements',
      'organizations',
      Array.from({ length: 60_000 }, (_, n) => `contacts.${n}.x`).join(),
      /and 59990 more/,
    ],
    ['a header of 2 MiB', 'customers', 'name,'.repeat((2 * mib) / 5), /header is too long/],
  ])('%s', async (_what, type, text, detail) => {
    const problem = await expectRefusal(400, 'INVALID_IMPORT_FILE', form(['type', type], ['file', file(text)]));
    expect(problem.detail).toMatch(detail);
  });
});

describe('a file that cannot be read to its end does nothing:', () => {
  const rows = (count: number) => `name,federalTaxId\n${'Vale Verde,x\n'.repeat(count)}`;
  const afterFirstMib = rows(100_000);
  // Rules: IMPORTS-6, IMPORTS-8
  test.each<[string, Record<string, string>, ImportContent, RegExp]>([
    [
      'Latin-1 after the first MiB',
      {},
      Buffer.concat([Buffer.from(afterFirstMib), Buffer.from('Pão,2\n', 'latin1')]),
      /^Line 100002: .*UTF-8/,
    ],
    ['a quote that is not closed', {}, `${rows(2)}"Vale,2\n`, /^Line 4: A quotation mark/],
    ['a row of 100 MiB', {}, `${rows(1)}${'x'.repeat(100 * mib)}\n`, /^Line 3: .* more than 1048576 bytes/],
    ['more than 1,000,000 rows', { format: 'ndjson' }, '1\n'.repeat(1_000_001), /more than 1000000 rows/],
  ])('%s', async (_what, fields, text, message) => {
    const { done, results } = await runImport(world, world.global, { ...customers, ...fields }, text);
    expect(done).toMatchObject({ status: 'FAILED', code: 'INVALID_IMPORT_FILE', rows: null, processed: 0 });
    expect(done.message).toMatch(message);
    expect(results).toEqual([]);
  });

  // Rules: IMPORTS-6
  test('a file of 1,000,000 rows is accepted', async () => {
    const fields = { ...customers, format: 'ndjson', dryRun: 'true' };
    const { body } = await uploadImport(world, world.global, fields, '1\n'.repeat(1_000_000));
    const found = async () => (await world.call<ImportBody>(world.global, `GET /api/imports/${body.id}`)).body.rows;
    await expect.poll(found, { timeout: 30_000 }).toBe(1_000_000);
    await world.call(world.global, `DELETE /api/imports/${body.id}`);
  });
});

describe('cells', () => {
  const cnpj = '12.ABC.345/01DE-35';

  // Rules: IMPORTS-9, IMPORTS-10, IMPORTS-11
  test.each<[string, (taxId: string) => string]>([
    [
      'a spreadsheet in Brazil',
      (taxId) => `\uFEFFfederalTaxId;name;alias;active\r\n${taxId};"Ação; ""Vale""\r\nVerde";;Não\r\n;;;\r\n\r\n`,
    ],
    ['a spreadsheet elsewhere', (taxId) => `federalTaxId,name,alias,active\n${taxId},"Ação; ""Vale""\r\nVerde",,FALSE`],
    ['a copy from a table', (taxId) => `federalTaxId\tname\tid\tactive\r\n${taxId}\t"Ação; ""Vale""\r\nVerde"\t7\tfalso\n\n\n`],
  ])('reads a file as from %s', async (_what, text) => {
    const digits = world.newTaxId();
    const written = digits.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5');
    const { done, results } = await runImport(world, world.global, customers, text(written));
    expect(done).toMatchObject({ status: 'COMPLETED', rows: 1, created: 1 });
    const { body } = await world.call(world.global, `GET /api/customers/${results[0]?.id}`);
    expect(body).toMatchObject({ federalTaxId: digits, name: 'Ação; "Vale"\r\nVerde', alias: null, active: false });
  });

  // Rules: IMPORTS-10, IMPORTS-11
  test('with the CNPJ, the CPF, the postal code and the coordinates as people write them are read', async () => {
    const header = 'name,federalTaxId,address.zipCode,address.street,address.number,address.cityCode,address.stateCode,address.latitude';
    const line = (taxId: string) => `'=Vale,${taxId},01001-000,Praça da Sé,1,${saoPaulo.cityCode},${saoPaulo.stateCode},"-23,55"`;
    const text = [header, line(cnpj), line('123.456.789-09')].join('\n');
    const { results } = await runImport(world, world.global, { type: 'organizations' }, text);
    expect(results).toMatchObject([{ status: 'CREATED' }, { status: 'CREATED' }]);
    const read = async (path: string) => (await world.call<{ data: object[] }>(world.global, `GET /api/${path}`)).body;
    expect(await read(`organizations/${results[0]?.id}`)).toMatchObject({ name: '=Vale', federalTaxId: '12ABC34501DE35' });
    expect(await read(`organizations/${results[1]?.id}`)).toMatchObject({ federalTaxId: '12345678909' });
    const { data } = await read(`organization-addresses?organizationId=${results[0]?.id}`);
    expect(data).toMatchObject([{ ...praca, latitude: -23.55 }]);
  });

  // Rules: IMPORTS-11, IMPORTS-12, IMPORTS-13
  test('that cannot be read fail their row, with the column', async () => {
    const text = `name,federalTaxId,active\nVale,"1,23E+13",sim\nVale,12345678000195,talvez\nVale,123,\nVale\n,12345678000195,1\n`;
    const { done, results } = await runImport(world, world.global, customers, text);
    expect(done).toMatchObject({ status: 'COMPLETED', rows: 5, failed: 5 });
    expect(results.map(({ code, errors }) => [code, ...errors.map(({ path, message }) => `${path}: ${message}`)])).toEqual([
      ['VALIDATION_FAILED', expect.stringMatching(/^federalTaxId: .*spreadsheet has shortened the number/)],
      ['VALIDATION_FAILED', expect.stringMatching(/^active: Expected one of .*sim/)],
      ['VALIDATION_FAILED', 'federalTaxId: A tax id must have 11 to 14 letters and digits, without punctuation'],
      ['VALIDATION_FAILED', ': Expected 3 cells, found 1'],
      ['VALIDATION_FAILED', expect.stringMatching(/^name: /)],
    ]);
  });

  // Rules: IMPORTS-9
  test.each(['name,federalTaxId', '\uFEFFname;federalTaxId\r\n\r\n;\r\n'])('of %j are none: the import is completed', async (text) => {
    expect((await runImport(world, world.global, customers, text)).done).toMatchObject({ status: 'COMPLETED', rows: 0, processed: 0 });
  });

  // Rules: IMPORTS-13
  test('of CPFs are checked as in a request', async () => {
    const person = (taxId: string) => `Ana,${taxId.slice(-6)}@example.com,${taxId},Technician`;
    const text = ['name,email,federalTaxId,type', person(cpf(900_000_001)), person('111.444.777-36')].join('\n');
    const { results } = await runImport(world, world.global, { type: 'users', dryRun: 'true' }, text);
    expect(results).toMatchObject([{ status: 'CREATED' }, { status: 'FAILED', errors: [{ path: 'federalTaxId' }] }]);
  });
});

// Rules: IMPORTS-13
test('a line of NDJSON that is no record of a request fails its row', async () => {
  const organization = (metadata: string) =>
    JSON.stringify({ name: 'Vale', federalTaxId: world.newTaxId(), address: praca, metadata: 0 }).replace(
      '"metadata":0',
      `"metadata":${metadata}`,
    );
  const lines: [string, object[]][] = [
    ['{"name":', [{ path: '' }]],
    ['["name"]', [{ path: '' }]],
    ['7', [{ path: '' }]],
    [organization(`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`), [{ message: 'Nested deeper than 64 levels' }]],
    [organization(`{"a":${'['.repeat(40)}${']'.repeat(40)}}`), [{ message: 'Nested deeper than 32 levels' }]],
    [organization('{"a":1e999}'), [{ path: 'metadata.a' }]],
    [organization('{"a":9007199254740993}'), [{ path: 'metadata.a' }]],
    [organization('{"a":1,"a":2}'), [{ message: 'A key is given more than once' }]],
    [organization(String.raw`{"a":"\u0000"}`), [{ path: 'metadata.a' }]],
    [organization('{"a":1}'), []],
  ];
  const { results } = await runImport(world, world.global, { type: 'organizations' }, lines.map(([line]) => line).join('\n'), 'x.ndjson');
  expect(results).toMatchObject(lines.map(([, errors]) => ({ status: errors.length > 0 ? 'FAILED' : 'CREATED', errors })));
});

// Rules: IMPORTS-5
test.each(importTypeNames.flatMap((type) => [[type, 'csv'] as const, [type, 'ndjson'] as const]))(
  'the template of %s as %s can be imported',
  async (type, format) => {
    const response = await fetch(`${world.service.url}/api/imports/template?type=${type}&format=${format}`, {
      headers: headersOf(world.global),
    });
    expect([response.status, response.headers.get('content-disposition')]).toEqual([
      200,
      `attachment; filename=import-template-${type}-${new Date().toISOString().slice(0, 10)}.${format}`,
    ]);
    const { done, results } = await runImport(world, world.global, { type, dryRun: 'true' }, await response.text(), `file.${format}`);
    expect(done).toMatchObject({ status: 'COMPLETED', rows: 1 });
    // The records that the example refers to do not exist.
    expect(results[0]?.code ?? '').toMatch(/^(|.*_NOT_FOUND|.*_ALREADY_EXISTS)$/);
  },
);
