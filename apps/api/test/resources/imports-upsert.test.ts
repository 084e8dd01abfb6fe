import { describe, expect, test } from 'vitest';
import { addressCells, csvOf, type ImportCells, organizationRow, writtenBy } from '../support/import-rows.ts';
import { type ImportBody, importResults, runImport } from '../support/imports.ts';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';
import type { Organization } from '../support/records.ts';
import { useMember, useTenant } from '../support/use-people.ts';

const world = useWorldWithMap();
const tenant = useTenant(world);
const admin = useMember(world, tenant, 'tenant-admin');

const upsert = (type: string, rows: ImportCells[], actor = type === 'organizations' ? admin : world.global) =>
  runImport(world, actor, { type, mode: 'upsert' }, csvOf(rows));
const organization = async (id: string) => (await world.call<Organization>(world.global, `GET /api/organizations/${id}`)).body;
const operationsOf = async (done: ImportBody) => (await writtenBy(world, done)).map(({ operation }) => operation);

describe('an upsert of organizations', () => {
  // Rules: IMPORTS-13, IMPORTS-14, IMPORTS-15
  test('creates, updates or leaves each record, by the tax id in any case and with its punctuation', async () => {
    const stored = await organizationOf(world, tenant, { name: 'Velha', federalTaxId: `A${world.newTaxId().slice(1)}` });
    const typed = stored.federalTaxId.toLowerCase().replace(/(..)(...)(...)(....)(..)/, '$1.$2.$3/$4-$5');
    const created = world.newTaxId();
    const rows = [
      organizationRow(typed, { name: 'Velha' }),
      organizationRow(typed, { name: 'Nova' }),
      organizationRow(created, { name: 'Criada' }),
      organizationRow(created, { name: 'Mudada' }),
      organizationRow(created, { name: 'Mudada' }),
    ];
    const { done, results } = await upsert('organizations', rows);
    expect(done).toMatchObject({ created: 1, updated: 2, unchanged: 2, failed: 0 });
    expect(results.map(({ status }) => status)).toEqual(['UNCHANGED', 'UPDATED', 'CREATED', 'UPDATED', 'UNCHANGED']);
    const made = results[2]?.id ?? '';
    expect(results.map(({ id }) => id)).toEqual([stored.id, stored.id, made, made, made]);
    expect([(await organization(stored.id)).name, (await organization(made)).name]).toEqual(['Nova', 'Mudada']);
    // Unchanged records have no entry.
    expect(await operationsOf(done)).toEqual(['organizations.update', 'organizations.create', 'organizations.update']);
  });

  // Rules: IMPORTS-7, IMPORTS-10, IMPORTS-14
  test('needs only the tax id: an absent column leaves its field alone, an empty cell is null, or absent where null is not allowed', async () => {
    const fields = { name: 'Nome', alias: 'Apelido', stateTaxId: '123', metadata: { a: 1 }, listed: false };
    const stored = await organizationOf(world, tenant, fields);
    const { results } = await upsert('organizations', [{ federalTaxId: stored.federalTaxId, alias: '', name: '', active: 'não' }]);
    expect(results).toMatchObject([{ status: 'UPDATED', id: stored.id }]);
    expect(await organization(stored.id)).toMatchObject({ ...fields, alias: null, active: false });
    const { results: alone } = await upsert('organizations', [{ federalTaxId: stored.federalTaxId }, { federalTaxId: world.newTaxId() }]);
    expect(alone).toMatchObject([{ status: 'UNCHANGED' }, { status: 'FAILED', code: 'VALIDATION_FAILED' }]);
    expect(alone[1]?.errors.map(({ path }) => path)).toEqual(expect.arrayContaining(['name', 'address']));
  });

  // Rules: IMPORTS-14
  test('ignores the address and the contacts of a record that exists, even invalid ones', async () => {
    const stored = await organizationOf(world, tenant, { name: 'Fica' });
    const before = await organization(stored.id);
    const contacts = { 'contacts.0.type': 'PHONE', 'contacts.0.value': '1', 'contacts.0.isPrimary': 'talvez' };
    const cells = { ...organizationRow(stored.federalTaxId), ...addressCells('address.'), 'address.cityCode': 'Lugar', ...contacts };
    const { results } = await upsert('organizations', [{ ...cells, name: 'Fica' }]);
    expect(results).toMatchObject([{ status: 'UNCHANGED', id: stored.id }]);
    expect(await organization(stored.id)).toEqual(before);
    expect(await world.sql('select from organization_contacts where organization_id = $1', [stored.id])).toEqual([]);
  });

  // Rules: IMPORTS-14
  test('of a record that the caller does not see is the 409 of the POST, and reveals and changes nothing', async () => {
    const foreign = await organizationOf(world, await world.tenant(), { name: 'Segredo' });
    const row = organizationRow(foreign.federalTaxId, { name: 'Minha' });
    const { done, results } = await upsert('organizations', [row, { ...row, 'address.zipCode': '1' }]);
    expect(results).toEqual([
      { row: 1, status: 'FAILED', id: null, code: 'ORGANIZATION_ALREADY_EXISTS', errors: [] },
      {
        row: 2,
        status: 'FAILED',
        id: null,
        code: 'VALIDATION_FAILED',
        errors: [{ path: 'address.zipCode', message: expect.any(String) as string }],
      },
    ]);
    expect(JSON.stringify([done, await importResults(world, admin, done.id)])).not.toMatch(`Segredo|${foreign.id}`);
    expect(await organization(foreign.id)).toEqual(foreign);
    expect(await operationsOf(done)).toEqual([]);
  });

  // Rules: IMPORTS-13, IMPORTS-14
  test('needs the permission for the PUT, not only for the POST', async () => {
    const stored = await organizationOf(world, tenant);
    const creator = await world.person({ [tenant.id]: 'viewer' }, { roles: ['imports:create', 'imports:read', 'organizations:create'] });
    const rows = [organizationRow(stored.federalTaxId), organizationRow(world.newTaxId())];
    const { results } = await upsert('organizations', rows, creator);
    expect(results).toMatchObject([{ status: 'FAILED', code: 'NOT_ALLOWED' }, { status: 'CREATED' }]);
  });
});

// Rules: IMPORTS-13, IMPORTS-14
test('an upsert of customers updates the one with the tax id, and clears what is empty', async () => {
  const federalTaxId = world.newTaxId();
  const body = { federalTaxId, name: 'Cliente', phone: '1', email: 'c@example.com' };
  const { id } = await world.create<{ id: string }>('POST /api/customers', body);
  const rows = [
    { federalTaxId, name: 'Cliente', phone: '1' },
    { federalTaxId, name: 'Outro', phone: '' },
    { federalTaxId: world.newTaxId(), name: 'Novo', phone: '' },
  ];
  const { results } = await upsert('customers', rows);
  expect(results).toMatchObject([{ status: 'UNCHANGED', id }, { status: 'UPDATED', id }, { status: 'CREATED' }]);
  expect((await world.call(world.global, `GET /api/customers/${id}`)).body).toMatchObject({ ...body, name: 'Outro', phone: null });
});

// Rules: IMPORTS-13, IMPORTS-14
test('an upsert of users updates the one with the CPF, also the e-mail, and rejects the e-mail of another as the PUT and the POST do', async () => {
  const [stored, other] = [await world.person(), await world.person()];
  const fresh = world.newPerson();
  const email = world.newPerson().email;
  const { name, type } = fresh;
  const row = { name, email, federalTaxId: stored.federalTaxId, type, jobTitle: 'Chefe' };
  const rows = [
    row,
    row,
    { ...row, email: other.email },
    { ...fresh, email: other.email.toUpperCase() },
    { ...fresh, jobTitle: 'Nova' },
    { ...fresh, jobTitle: '' },
  ];
  const header = { name: '', email: '', federalTaxId: '', type: '', jobTitle: '' };
  const { results } = await upsert(
    'users',
    rows.map((each) => ({ ...header, ...each })),
  );
  expect(results).toMatchObject([
    { status: 'UPDATED', id: stored.id },
    { status: 'UNCHANGED', id: stored.id },
    { status: 'FAILED', code: 'USER_ALREADY_EXISTS', id: null },
    { status: 'FAILED', code: 'USER_ALREADY_EXISTS', id: null },
    { status: 'CREATED' },
    { status: 'UPDATED', id: results[4]?.id },
  ]);
  expect((await world.call(world.global, `GET /api/users/${stored.id}`)).body).toMatchObject({ email, name, jobTitle: 'Chefe' });
  // A deleted user does not exist.
  await world.call(world.global, `DELETE /api/users/${stored.id}`);
  expect((await upsert('users', [row])).results).toMatchObject([{ status: 'CREATED' }]);
});
