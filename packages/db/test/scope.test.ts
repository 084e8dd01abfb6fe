import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  columns,
  type Placeholders,
  type UnscopedDatabase,
  type UnscopedTables,
  newId,
  type OrganizationScope,
  scoped,
  type ScopedDatabase,
  scopedPatchStatement,
  scopedStatement,
  type ScopedTable,
  transactionOf,
  unscopedStatement,
  unscoped,
} from '../src/index.ts';
import { useDatabase } from './use-database.ts';

const { database, make } = await useDatabase();

/** Names of the records by id, to compare lists of names. */
const names = new Map<string, string>();
const idOf = (name: string) => [...names].find(([, known]) => known === name)?.[0] ?? '';
const namesOf = (rows: { id: string }[]) => rows.map(({ id }) => names.get(id));

/*
 * Tenant A has the organizations "a" and "both". Tenant B has "b" and "both". A third tenant has none. "gone" is a deleted organization of A. "free" has
 * no link. Each organization has an address, a contact and a document. A has two RESTRICTED members: one has grants for "both" and "gone", the other none.
 */
await make.places();
const [a, b, empty] = [await make.tenant(), await make.tenant(), await make.tenant()];
const [granted, locked, somebody] = [await make.user(), await make.user(), await make.user()];
const organizations: Record<string, string[]> = { a: [a], b: [b], both: [a, b], gone: [a], free: [] };
for (const [name, tenants] of Object.entries(organizations)) names.set(await make.organization({}, ...tenants), name);
await make.restricted(granted, a, idOf('both'), idOf('gone'));
await make.restricted(locked, a);
await database.db.updateTable('organizations').set({ deletedAt: '2026-01-01' }).where('id', '=', idOf('gone')).execute();
for (const name of Object.keys(organizations)) {
  names.set(await make.address(idOf(name)), `address of ${name}`);
  names.set(await make.contact(idOf(name)), `contact of ${name}`);
  names.set(await make.attachment(somebody, { entityId: idOf(name), tenantId: b }), `document of ${name}`);
}
names.set(await make.attachment(somebody, { entityId: idOf('a'), entityType: 'ORGANIZATION' }), 'logo of a');
names.set(await make.attachment(somebody, { entityId: idOf('a'), deletedAt: '2026-01-01' }), 'deleted document of a');
names.set(await make.attachment(somebody, { tenantId: a }), 'file in a');
names.set(await make.attachment(granted, { tenantId: a, entityId: newId() }), "granted member's file in a");
names.set(await make.attachment(somebody), 'file in no tenant');
for (const [tenantId, name] of [
  [a, 'webhook of a'],
  [b, 'webhook of b'],
  [null, 'webhook of all'],
] as const)
  names.set(await make.webhook(tenantId), name);

for (const [tenantId, createdBy, name] of [
  [a, somebody, 'import in a'],
  [a, granted, "granted member's import in a"],
  [null, somebody, 'import in no tenant'],
] as const) {
  const id = newId();
  const fields = { type: 'customers', format: 'csv', mode: 'create', dryRun: false, fileName: 'a.csv', filePath: id, claims: {} } as const;
  await database.db
    .insertInto('imports')
    .values({ id, tenantId, createdBy, ...fields })
    .execute();
  names.set(id, name);
}

const scopes = {
  all: { kind: 'all' },
  a: { kind: 'tenant', tenantId: a },
  b: { kind: 'tenant', tenantId: b },
  empty: { kind: 'tenant', tenantId: empty },
  granted: { kind: 'restricted', tenantId: a, userId: granted },
  locked: { kind: 'restricted', tenantId: a, userId: locked },
  none: { kind: 'none' },
} satisfies Record<string, OrganizationScope>;
const within = (name: keyof typeof scopes): ScopedDatabase => scoped(database.executor, scopes[name]);

/** What each scope contains: organizations, files that belong to no organization, and webhooks. */
const contents: Record<keyof typeof scopes, { organizations: string[]; files: string[]; webhooks: string[]; imports: string[] }> = {
  all: {
    organizations: ['a', 'b', 'both', 'free'],
    files: ['file in a', "granted member's file in a", 'file in no tenant'],
    webhooks: ['webhook of a', 'webhook of b', 'webhook of all'],
    imports: ['import in a', "granted member's import in a", 'import in no tenant'],
  },
  a: {
    organizations: ['a', 'both'],
    files: ['file in a', "granted member's file in a"],
    webhooks: ['webhook of a'],
    imports: ['import in a', "granted member's import in a"],
  },
  b: { organizations: ['b', 'both'], files: [], webhooks: ['webhook of b'], imports: [] },
  empty: { organizations: [], files: [], webhooks: [], imports: [] },
  granted: { organizations: ['both'], files: ["granted member's file in a"], webhooks: [], imports: ["granted member's import in a"] },
  locked: { organizations: [], files: [], webhooks: [], imports: [] },
  none: { organizations: [], files: [], webhooks: [], imports: [] },
};

const see = {
  organizations: scopedStatement((tables) => tables.organizations().select('organizations.id').orderBy('id')),
  organizationAddresses: scopedStatement((tables) => tables.addresses().select('organizationAddresses.id').orderBy('id')),
  organizationContacts: scopedStatement((tables) => tables.contacts().select('organizationContacts.id').orderBy('id')),
  attachments: scopedStatement((tables) => tables.attachments().select('attachments.id').orderBy('id')),
  webhooks: scopedStatement((tables) => tables.webhooks().select('webhooks.id').orderBy('id')),
  imports: scopedStatement((tables) => tables.imports().select('imports.id').orderBy('id')),
};
const seeDocuments = scopedStatement((tables) => tables.documents().select('attachments.id').orderBy('id'));
/** An update that changes nothing, and returns the rows that it can access. */
const touch = (table: ScopedTable) =>
  scopedStatement((tables) =>
    tables
      .updateTable(table)
      .set('id', (eb) => eb.ref('id'))
      .returning('id'),
  );

describe.each(Object.keys(contents) as (keyof typeof scopes)[])('scope %s', (name) => {
  const { organizations: expected, files, webhooks, imports } = contents[name];
  const of = (kind: string) => expected.map((organization) => `${kind} of ${organization}`);
  const logo = expected.includes('a') ? ['logo of a'] : [];

  // Rules: SCOPE-1, SCOPE-10, WEBHOOKS-2
  test.each<[ScopedTable, string[]]>([
    ['organizations', expected],
    ['organizationAddresses', of('address')],
    ['organizationContacts', of('contact')],
    ['attachments', [...of('document'), ...logo, ...files]],
    ['webhooks', webhooks],
    ['imports', imports],
  ])('reads and updates of %s can access only rows in scope', async (table, rows) => {
    expect(namesOf(await within(name).all(see[table], {}))).toEqual(rows);
    expect(namesOf(await within(name).all(touch(table), {})).toSorted()).toEqual(rows.toSorted());
  });

  test('documents, isInScope and lockAttachmentTarget follow the organizations in scope', async () => {
    expect(namesOf(await within(name).all(seeDocuments, {}))).toEqual(of('document'));
    const [inScope, attachable]: string[][] = [[], []];
    for (const [id, known] of names) if (await within(name).isInScope(id)) inScope?.push(known);
    for (const organization of Object.keys(organizations))
      if (await within(name).lockAttachmentTarget(idOf(organization))) attachable?.push(organization);
    expect([inScope, attachable]).toEqual([expected, expected]);
    // An id of no organization.
    expect(await within(name).lockAttachmentTarget(newId())).toBe(true);
  });
});

test('a patch changes and returns only rows in scope, also without a change', async () => {
  const patchOrganization = scopedPatchStatement('organizations', ['alias']);
  const id = idOf('b');
  for (const change of [{ alias: 'mine' }, {}]) {
    expect(await within('a').patch(patchOrganization, { id, ...change })).toBeUndefined();
    expect(await within('b').patch(patchOrganization, { id, ...change })).toMatchObject({ id, alias: 'mine' });
  }
});

const insertWebhook = scopedStatement((tables, p: Placeholders<{ id: string; tenantId: string | null; secret: Buffer }>) =>
  tables
    .insertWebhook({ ...columns(p, 'id', 'tenantId', 'secret'), url: 'https://hooks.example.com/', types: ['*'] })
    .returning('tenantId'),
);

// Rules: WEBHOOKS-2
test('a new webhook belongs to the tenant of the scope, whatever is given; only the scope `all` uses the given one', async () => {
  const insert = async (name: keyof typeof scopes, tenantId: string | null) =>
    (await within(name).one(insertWebhook, { id: newId(), tenantId, secret: Buffer.from('sealed') })).tenantId;
  for (const tenantId of [null, a, b]) {
    expect([await insert('a', tenantId), await insert('all', tenantId)]).toEqual([a, tenantId]);
    for (const name of ['granted', 'none'] as const) await expect(insert(name, tenantId)).rejects.toThrow('contains no webhook');
  }
});

describe("a handler's database", () => {
  // Rules: SCOPE-10
  test('has no scoped tables; only a listed reason gives access to them', async () => {
    expectTypeOf<
      Extract<keyof UnscopedTables, ScopedTable | 'organizationTenants' | 'membershipOrganizations' | 'organizationCounts'>
    >().toBeNever();
    expectTypeOf<Extract<keyof UnscopedTables, 'journal' | 'auditEntries' | 'events' | 'eventEpochs'>>().toBeNever();
    expectTypeOf(transactionOf).parameter(1).not.toEqualTypeOf<string>();
    expectTypeOf<Extract<keyof UnscopedDatabase, 'selectFrom' | 'insertInto' | 'getExecutor' | 'executor'>>().toBeNever();
    const all = unscopedStatement('creates the link', (db) => db.selectFrom('organizations').select('id'));
    expect(await unscoped(database.executor).all(all, {})).toHaveLength(5);
    const count = await database.transaction((executor) =>
      transactionOf(unscoped(executor), 'adds a job').query('select id from organizations'),
    );
    expect(count.rows).toHaveLength(5);
    expect(() => transactionOf(unscoped(database.executor), 'adds a job')).toThrow('Not in a transaction');
  });

  test('does not run a scoped statement', () => {
    // @ts-expect-error a scoped statement needs a scope
    const run = () => unscoped(database.executor).all(see.organizations, {});
    expect(run).toBeTypeOf('function');
  });
});
