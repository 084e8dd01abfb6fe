import { beforeAll, expect, test } from 'vitest';
import { headersOf } from '../support/call.ts';
import { runImport } from '../support/imports.ts';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';

const world = useWorldWithMap();

/** Texts that spreadsheets, CSV or JSON handle in a way of their own. */
const texts = ['=1+1', '-2', '+55 11', '@sum', '\tTab', '\rReturn', "'=quoted", "''=twice", "'Apostrophe", '"Quotes", commas; and tabs\t'];
const lines = ['two\nlines', 'two\r\nlines', ' blanks ', 'sim', '0', 'null', '{}', '\uFEFFmark', 'Ação 😀', '1,5'];

beforeAll(async () => {
  for (const [index, text] of [...texts, ...lines].entries()) {
    const isEven = index % 2 === 0;
    const metadata = [null, {}, { [text]: [text, 1.5, -0.1, 1e21, true, null, { a: {} }], '': '' }][index % 3];
    const others = { stateTaxId: text, municipalTaxId: isEven ? null : '007', logoPath: text, active: isEven, listed: !isEven, metadata };
    const contacts = [{ type: 'PHONE', value: text, isPrimary: isEven }];
    await organizationOf(world, undefined, { name: text, alias: isEven ? text : null, ...others, contacts });
    const { newTaxId, newPerson } = world;
    const customer = { name: text, federalTaxId: newTaxId(), alias: isEven ? null : text, phone: text, active: isEven };
    const { id } = await world.create<{ id: string }>('POST /api/customers', customer);
    await world.create('POST /api/users', { ...newPerson(), jobTitle: text, customerId: isEven ? id : null });
  }
});

const formats = ['csv', 'csv&delimiter=;&bom=true', 'csv&delimiter=%09', 'ndjson'];

// Rules: IMPORTS-7, IMPORTS-10, IMPORTS-14, IMPORTS-16, EXPORTS-3
test.each(['organizations', 'customers', 'users'].flatMap((type) => formats.map((format) => [type, format] as const)))(
  'an export of %s as %s can be imported: it changes nothing, and each of its records exists',
  async (type, format) => {
    const response = await fetch(`${world.service.url}/api/${type}/export?format=${format}`, { headers: headersOf(world.global) });
    const file = new Uint8Array(await response.arrayBuffer());
    const results = async (mode: string) => {
      const fields = { type, mode, dryRun: 'true', format: format.split('&')[0] as string };
      return (await runImport(world, world.global, fields, file)).results;
    };
    const found = (await results('upsert')).map(({ status, code, errors }) => ({ status, code, errors }));
    expect(found.length).toBeGreaterThanOrEqual(texts.length + lines.length);
    expect(found).toEqual(found.map(() => ({ status: 'UNCHANGED', code: null, errors: [] })));
    const codes = new Set((await results('create')).map(({ code }) => code));
    expect([...codes]).toEqual([`${type.slice(0, -1).toUpperCase()}_ALREADY_EXISTS`]);
  },
);
