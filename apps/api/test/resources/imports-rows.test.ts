import { describe, expect, test } from 'vitest';
import type { Actor } from '../support/call.ts';
import { addressCells, csvOf, type ImportCells, organizationRow, writtenBy } from '../support/import-rows.ts';
import { runImport } from '../support/imports.ts';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';
import type { Person } from '../support/people.ts';
import { useMember, useOrganization, useTenant } from '../support/use-people.ts';

const world = useWorldWithMap();
const tenant = useTenant(world);
const admin = useMember(world, tenant, 'tenant-admin');
const organization = useOrganization(world, tenant);
const member = useMember(world, tenant, 'viewer');

const get = async <Body = Record<string, unknown>>(target: string, actor: Actor = world.global) =>
  (await world.call<Body>(actor, `GET ${target}`)).body;

interface Case {
  type: string;
  /** An uploader who is no Global user, if there is one. */
  actor?: () => Person;
  row: () => Promise<ImportCells>;
  /** Cells that make a row fail, with the code and the column that the result names. */
  broken: ImportCells;
  failure: [code: string, ...columns: string[]];
  /** The target that returns the record. Default: the one of the id. */
  path?: string;
  event: string;
  operation: string;
}

const cases: Case[] = [
  {
    type: 'organizations',
    actor: () => admin,
    row: async () => organizationRow(world.newTaxId()),
    broken: { 'address.cityCode': 4106902 },
    failure: ['CITY_STATE_MISMATCH'],
    path: '/api/organizations',
    event: 'organization.created',
    operation: 'organizations.create',
  },
  {
    type: 'organizationAddresses',
    actor: () => admin,
    row: async () => ({ organizationId: organization.id, ...addressCells() }),
    broken: { zipCode: '1' },
    failure: ['VALIDATION_FAILED', 'zipCode'],
    path: '/api/organization-addresses',
    event: 'organizationAddress.created',
    operation: 'organizationAddresses.create',
  },
  {
    type: 'organizationContacts',
    actor: () => admin,
    row: async () => ({ organizationId: organization.id, type: 'EMAIL', value: world.newPerson().email, isPrimary: 'não' }),
    broken: { organizationId: '00000000-0000-4000-8000-000000000000' },
    failure: ['NOT_ALLOWED_ORGANIZATION'],
    path: '/api/organization-contacts',
    event: 'organizationContact.created',
    operation: 'organizationContacts.create',
  },
  {
    type: 'users',
    row: async () => ({ ...world.newPerson() }),
    broken: { type: 'Nobody', name: '' },
    failure: ['VALIDATION_FAILED', 'name', 'type'],
    path: '/api/users',
    event: 'user.created',
    operation: 'users.create',
  },
  {
    type: 'customers',
    row: async () => ({ federalTaxId: world.newTaxId(), name: 'Cliente' }),
    broken: { federalTaxId: '123' },
    failure: ['VALIDATION_FAILED', 'federalTaxId'],
    path: '/api/customers',
    event: 'customer.created',
    operation: 'customers.create',
  },
  {
    type: 'memberships',
    row: async () => ({ userId: (await world.person()).id, tenantId: tenant.id, persona: 'viewer' }),
    broken: { tenantId: '00000000-0000-4000-8000-000000000000' },
    failure: ['TENANT_NOT_FOUND'],
    event: 'membership.created',
    operation: 'memberships.assign',
  },
];

// Rules: IMPORTS-13, IMPORTS-15, IMPORTS-21
test.each(cases)(
  'an import of $type creates a record with an audit entry and an event for each row, and a row that fails has none',
  async ({ type, actor, row, broken, failure: [code, ...paths], path, event, operation }) => {
    const { userId } = await get<{ userId: string }>('/api/me/permissions');
    const uploader = actor?.() ?? { ...world.global, id: userId };
    const rows = [await row(), { ...(await row()), ...broken }, await row()];
    const { done, results } = await runImport(world, uploader, { type }, csvOf(rows));
    expect(done).toMatchObject({ type, status: 'COMPLETED', rows: 3, processed: 3, created: 2, updated: 0, unchanged: 0, failed: 1 });
    const created = { status: 'CREATED', id: expect.any(String) as string, code: null, errors: [] };
    const errors = paths.map((each) => ({ path: each, message: expect.any(String) as string }));
    expect(results).toEqual([
      { row: 1, ...created },
      { row: 2, status: 'FAILED', id: null, code, errors },
      { row: 3, ...created },
    ]);
    const ids = [results[0]?.id, results[2]?.id];
    const stored = path ? await Promise.all(ids.map((id) => get(`${path}/${id}`))) : [];
    const keys = path ? stored.map(({ id }) => id) : [rows[0], rows[2]].map((each) => `${each?.['userId']}:${each?.['tenantId']}`);
    expect(ids).toEqual(keys);
    const tenantId = type === 'memberships' ? tenant.id : done.tenantId;
    expect(await writtenBy(world, done)).toEqual(
      ids.map((recordId) => ({ type: event, recordId, operation, outcome: 'COMMITTED', actorId: uploader.id, tenantId })),
    );
  },
);

describe('the rows of an import', () => {
  const other = useTenant(world);

  // Rules: IMPORTS-13
  test('see the rows before them: a membership is created, changed and then unchanged, as its POST does', async () => {
    const rows = ['viewer', 'coordinator', 'coordinator', 'viewer'].map((persona) => ({
      userId: member.id.toUpperCase(),
      tenantId: other.id,
      persona,
    }));
    const { results } = await runImport(world, world.global, { type: 'memberships' }, csvOf(rows));
    expect(results.map(({ status }) => status)).toEqual(['CREATED', 'UPDATED', 'UNCHANGED', 'UPDATED']);
    expect(new Set(results.map(({ id }) => id))).toEqual(new Set([`${member.id}:${other.id}`]));
  });

  // Rules: IMPORTS-10, IMPORTS-13
  test('of organizations have contacts in columns, of which an empty group is no contact', async () => {
    const contact = (index: number, type: string, value: string, isPrimary: string) => ({
      [`contacts.${index}.type`]: type,
      [`contacts.${index}.value`]: value,
      [`contacts.${index}.isPrimary`]: isPrimary,
      [`contacts.${index}.description`]: '',
    });
    const [email, phone] = [contact(0, 'EMAIL', 'a@example.com', 'sim'), contact(1, 'PHONE', '+55 11', '')];
    const [both, none, wrong] = [0, 1, 2].map(() => organizationRow(world.newTaxId())) as [ImportCells, ImportCells, ImportCells];
    const rows = [{ ...both, ...email, ...phone }, none, { ...wrong, ...contact(0, 'EMAIL', 'nobody', '') }];
    const { results } = await runImport(world, admin, { type: 'organizations' }, csvOf(rows));
    expect(results).toMatchObject([
      { status: 'CREATED' },
      { status: 'CREATED' },
      { status: 'FAILED', code: 'VALIDATION_FAILED', errors: [{ path: 'contacts.0.value' }] },
    ]);
    const contactsOf = async (id = '') => (await get<{ data: object[] }>(`/api/organization-contacts?organizationId=${id}`)).data;
    const stored = await contactsOf(results[0]?.id ?? '');
    expect(stored).toHaveLength(2);
    expect(stored).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'EMAIL', value: 'a@example.com', isPrimary: true, description: null }),
        expect.objectContaining({ type: 'PHONE', value: '+55 11', isPrimary: false }),
      ]),
    );
    expect(await contactsOf(results[1]?.id ?? '')).toEqual([]);
  });

  // Rules: IMPORTS-13
  test('are done in the order of the file: the last address is the current one', async () => {
    const { id: organizationId } = await organizationOf(world, tenant);
    const addresses = [1, 2, 3].map((number) => ({ organizationId, ...addressCells(), number }));
    const { results } = await runImport(world, admin, { type: 'organizationAddresses' }, csvOf(addresses));
    expect(await get(`/api/organizations/${organizationId}`)).toMatchObject({ organizationAddressId: results[2]?.id });
  });

  // Rules: IMPORTS-13, IMPORTS-21
  test.each([0.02, 0.2, 0.9])(
    'are done exactly once and in their order, wherever others fail: each with a probability of %d',
    async (share) => {
      const known = await organizationOf(world, tenant);
      const failures: [code: string, cells: ImportCells][] = [
        ['VALIDATION_FAILED', { name: '' }],
        ['ORGANIZATION_ALREADY_EXISTS', { federalTaxId: known.federalTaxId }],
        ['CITY_STATE_MISMATCH', { 'address.stateCode': 41 }],
      ];
      // Several transactions.
      const expected = Array.from({ length: 250 }, () => (Math.random() < share ? Math.floor(Math.random() * failures.length) : -1));
      const rows = expected.map((failure) => organizationRow(world.newTaxId(), failures[failure]?.[1]));
      const { done, results } = await runImport(world, admin, { type: 'organizations' }, csvOf(rows));
      const created = results.flatMap(({ id, status }) => (status === 'CREATED' ? [id] : []));
      expect(results.map(({ row, status, code }) => [row, code ?? status])).toEqual(
        expected.map((failure, index) => [index + 1, failures[failure]?.[0] ?? 'CREATED']),
      );
      expect(done).toMatchObject({ rows: 250, processed: 250, created: created.length, failed: 250 - created.length });
      expect((await writtenBy(world, done)).map(({ recordId }) => recordId)).toEqual(created);
      const stored = await world.sql<{ id: string }>(
        'select id from organizations where federal_tax_id = any($1) and id <> $2 order by id',
        [rows.map(({ federalTaxId }) => federalTaxId), known.id],
      );
      expect(stored.map(({ id }) => id)).toEqual(created);
    },
  );
});
