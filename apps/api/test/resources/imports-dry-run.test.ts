import { expect, test } from 'vitest';
import type { Actor } from '../support/call.ts';
import { addressCells, csvOf, holdOrganization, type ImportCells, organizationRow, writtenBy } from '../support/import-rows.ts';
import { importEnd, importResults, runImport, uploadImport } from '../support/imports.ts';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';
import { useMember, useTenant } from '../support/use-people.ts';

const world = useWorldWithMap();
const tenant = useTenant(world);
const admin = useMember(world, tenant, 'tenant-admin');

type NewPerson = ReturnType<typeof world.newPerson>;

const identities = () => world.identity.users().map(({ email }) => email);
/** Everything that an import could change, besides the imports themselves. */
const state = async () => {
  const tables = ['organizations', 'organization_addresses', 'organization_contacts', 'organization_tenants', 'users', 'customers'];
  const queries = [...tables, 'memberships', 'journal'].map(
    (table) => `select '${table}' as name, jsonb_agg(t.* order by t.*) as rows from ${table} t`,
  );
  const jobs = "select 'jobs', jsonb_agg(data order by id) from pgboss.job where name = 'password-mail'";
  return { rows: await world.sql([...queries, jobs].join(' union all ')), identities: identities(), mails: world.identity.mails.length };
};

/** Runs a file dry and then really, expects that only the second run changes something, and returns the results of both without their ids. */
async function dryAndReal(actor: Actor, type: string, rows: ImportCells[], mode = 'create') {
  const columns = Object.assign({}, ...rows) as ImportCells;
  const file = csvOf(rows.map((row) => ({ ...Object.fromEntries(Object.keys(columns).map((name) => [name, ''])), ...row })));
  // The mails of people whom the tests have created.
  await expect.poll(() => world.sql("select 1 from pgboss.job where name = 'password-mail' and state <> 'completed'")).toEqual([]);
  const before = await state();
  const dry = await runImport(world, actor, { type, mode, dryRun: 'true' }, file);
  expect(await state()).toEqual(before);
  expect([dry.done, await writtenBy(world, dry.done)]).toMatchObject([{ dryRun: true, status: 'COMPLETED', processed: rows.length }, []]);
  const real = await runImport(world, actor, { type, mode }, file);
  const [expected, reported] = [real, dry].map(({ results }) => results.map(({ id, ...result }) => ({ ...result, hasId: id !== null })));
  expect(reported).toEqual(expected);
  const counts = ({ created, updated, unchanged, failed }: typeof dry.done) => ({ created, updated, unchanged, failed });
  expect(counts(dry.done)).toEqual(counts(real.done));
  return real.results.map(({ status, code }) => code ?? status);
}

/** Valid rows between others, so that these are in different transactions. */
const filling = (row: () => ImportCells) => Array.from({ length: 70 }, row);

// Rules: IMPORTS-16
test('a dry run of organizations reports invalid, known and repeated rows as the import does', async () => {
  const [known, foreign] = [await organizationOf(world, tenant), await organizationOf(world, await world.tenant())];
  const twice = `B${world.newTaxId().slice(1)}`;
  const rows = [
    organizationRow(twice, { name: '' }),
    organizationRow(twice),
    organizationRow(twice.toLowerCase()),
    organizationRow(known.federalTaxId),
    ...filling(() => organizationRow(world.newTaxId())),
    organizationRow(twice),
    organizationRow(foreign.federalTaxId),
    organizationRow(world.newTaxId(), { 'address.stateCode': 41 }),
  ];
  const found = await dryAndReal(admin, 'organizations', rows);
  const exists = 'ORGANIZATION_ALREADY_EXISTS';
  expect(found.slice(0, 4)).toEqual(['VALIDATION_FAILED', 'CREATED', exists, exists]);
  expect(found.slice(-3)).toEqual([exists, exists, 'CITY_STATE_MISMATCH']);
});

// Rules: IMPORTS-16
test('a dry run leaves out an earlier row that fails by the time of a later one', async () => {
  const [twice, held] = [world.newTaxId(), world.newTaxId()];
  const others = () => filling(() => organizationRow(world.newTaxId()));
  const rows = [organizationRow(twice), ...others(), organizationRow(held), ...others(), organizationRow(twice)];
  const { reached, release } = await holdOrganization(world, held);
  const { body } = await uploadImport(world, admin, { type: 'organizations', dryRun: 'true' }, csvOf(rows));
  await reached();
  await organizationOf(world, tenant, { federalTaxId: twice });
  await release();
  await importEnd(world, admin, body.id);
  const results = await importResults(world, admin, body.id);
  expect([results.at(0), results.at(-1)]).toMatchObject([{ status: 'CREATED' }, { code: 'ORGANIZATION_ALREADY_EXISTS' }]);
});

// Rules: IMPORTS-14, IMPORTS-16
test('a dry run of an upsert reports what later rows do to the record of earlier ones', async () => {
  const known = await organizationOf(world, tenant, { name: 'Velha' });
  const made = world.newTaxId();
  const steps = (taxId: string, ...names: string[]) => names.map((name) => organizationRow(taxId, { name, alias: name.toLowerCase() }));
  const rows = [
    ...steps(known.federalTaxId, 'Nova', 'Nova', 'Velha'),
    ...steps(made, 'Criada'),
    ...filling(() => organizationRow(world.newTaxId())),
    ...steps(known.federalTaxId, 'Velha', 'Outra'),
    ...steps(made, 'Criada', 'Mudada'),
    ...filling(() => organizationRow(world.newTaxId())),
    ...steps(made, 'Mudada', 'Criada'),
  ];
  const found = await dryAndReal(admin, 'organizations', rows, 'upsert');
  expect(found.slice(0, 4)).toEqual(['UPDATED', 'UNCHANGED', 'UPDATED', 'CREATED']);
  expect(found.slice(74, 78)).toEqual(['UNCHANGED', 'UPDATED', 'UNCHANGED', 'UPDATED']);
  expect(found.slice(-2)).toEqual(['UNCHANGED', 'UPDATED']);
});

// Rules: IMPORTS-16
test('a dry run of memberships reports the second row of a membership as a change, or as unchanged', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => world.person()));
  const row = (index: number, persona: string) => ({ userId: people[index]?.id ?? '', tenantId: tenant.id, persona });
  const pairs = people.map((_, index) => row(index, 'viewer'));
  const rows = [
    ...pairs,
    ...pairs,
    ...filling(() => row(5, 'viewer')),
    row(0, 'viewer'),
    row(1, 'technician'),
    { ...row(2, 'viewer'), tenantId: admin.id },
  ];
  const found = await dryAndReal(world.global, 'memberships', rows);
  expect(new Set(found.slice(0, 6))).toEqual(new Set(['CREATED']));
  expect(new Set(found.slice(6, -2))).toEqual(new Set(['UNCHANGED']));
  expect(found.slice(-2)).toEqual(['UPDATED', 'TENANT_NOT_FOUND']);
});

// Rules: IMPORTS-16
test.each([
  ['organizationAddresses', (organizationId: string) => ({ organizationId, ...addressCells() })],
  ['organizationContacts', (organizationId: string) => ({ organizationId, type: 'PHONE', value: '+55 11', isPrimary: 1 })],
])('a dry run of %s changes nothing', async (type, rowOf) => {
  const { id } = await organizationOf(world, tenant);
  const found = await dryAndReal(admin, type, [rowOf(id), rowOf(admin.id), rowOf(id)]);
  expect(found).toEqual(['CREATED', 'NOT_ALLOWED_ORGANIZATION', 'CREATED']);
});

// Rules: IMPORTS-16
test.each(['create', 'upsert'])(
  'a dry run of users in the mode %s looks for them at the identity provider and creates none',
  async (mode) => {
    const known = await world.person();
    const linked = await world.person();
    const moved = world.newPerson();
    // The identity of `linked` keeps its address when the user gets another one.
    await world.call(world.global, `PUT /api/users/${linked.id}`, { email: moved.email });
    const [one, two, three, four, five] = [1, 2, 3, 4, 5].map(() => world.newPerson()) as [
      NewPerson,
      NewPerson,
      NewPerson,
      NewPerson,
      NewPerson,
    ];
    const rows = [
      one,
      { ...two, email: one.email.toUpperCase() },
      { ...three, federalTaxId: one.federalTaxId },
      { ...three, email: known.email },
      { ...three, federalTaxId: known.federalTaxId },
      { ...four, email: linked.email },
      { ...five, customerId: tenant.id },
      two,
    ];
    const exists = 'USER_ALREADY_EXISTS';
    expect(await dryAndReal(world.global, 'users', rows, mode)).toEqual([
      'CREATED',
      exists,
      mode === 'create' ? exists : 'UPDATED',
      exists,
      exists,
      'IDENTITY_ALREADY_LINKED',
      'CUSTOMER_NOT_FOUND',
      'CREATED',
    ]);
  },
);

// Rules: IMPORTS-16
test('a dry run of users finds duplicates by e-mail and by CPF in other transactions', async () => {
  // More rows than a transaction has; those with an invalid e-mail cost no call of the identity provider.
  const invalid = Array.from({ length: 70 }, () => ({ ...world.newPerson(), email: 'x' }));
  const person = { ...world.newPerson() };
  const rows = [
    person,
    ...invalid,
    { ...world.newPerson(), email: ` ${person.email.toUpperCase()} ` },
    { ...person, email: world.newPerson().email },
  ];
  const file = csvOf(rows);
  const { results } = await runImport(world, world.global, { type: 'users', dryRun: 'true' }, file);
  expect(results[0]?.status).toBe('CREATED');
  expect(results.slice(-2).map(({ code }) => code)).toEqual(['USER_ALREADY_EXISTS', 'USER_ALREADY_EXISTS']);
  expect(identities()).not.toContain(person.email);
});
