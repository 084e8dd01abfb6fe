import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import {
  connect,
  type Database,
  newId,
  type HandlerTables,
  withoutScopedTables,
  type OrganizationScope,
  scoped,
  type ScopedDatabase,
  type ScopedTable,
  unscoped,
} from '../src/index.ts';
import { records } from './records.ts';

let database: Database;
const scopes = {} as Record<'all' | 'a' | 'b' | 'empty' | 'granted' | 'locked' | 'none', OrganizationScope>;
/** Names of the records by their ids, so that what is seen reads as a list of names. */
const names = new Map<string, string>();

/**
 * Tenant A has "a" and "both", B has "b" and "both", a third has none. "gone" is a deleted organization of A, "free" is linked to nobody.
 * Each has an address, a contact and a document with its name. Of A's two RESTRICTED members one is granted "both" and the deleted one, the other nothing.
 */
beforeAll(async () => {
  database = connect({ connectionString: await createTestDatabase() });
  const make = records(database.db);
  const named = async (name: string, id: Promise<string>) => void names.set(await id, name);
  await make.places();
  const [a, b, empty] = [await make.tenant(), await make.tenant(), await make.tenant()];
  const [granted, locked, somebody] = [await make.user(), await make.user(), await make.user()];
  await named('a', make.organization({}, a));
  await named('b', make.organization({}, b));
  await named('both', make.organization({}, a, b));
  await named('gone', make.organization({ deletedAt: '2026-01-01T00:00:00.000Z' }, a));
  await named('free', make.organization());
  await make.restricted(granted, a, idOf('both'), idOf('gone'));
  await make.restricted(locked, a);
  for (const name of ['a', 'b', 'both', 'gone', 'free']) {
    await named(`address of ${name}`, make.address(idOf(name)));
    await named(`contact of ${name}`, make.contact(idOf(name)));
    await named(`document of ${name}`, make.attachment(somebody, { entityId: idOf(name), tenantId: b }));
  }
  await named('logo of a', make.attachment(somebody, { entityId: idOf('a'), entityType: 'ORGANIZATION' }));
  await named('removed document of a', make.attachment(somebody, { entityId: idOf('a'), deletedAt: '2026-01-01' }));
  await named('loose file in a', make.attachment(somebody, { tenantId: a }));
  await named('loose file in a of the granted', make.attachment(granted, { tenantId: a, entityId: newId() }));
  await named('loose file of no tenant', make.attachment(somebody));
  Object.assign(scopes, {
    all: { kind: 'all' },
    a: { kind: 'tenant', tenantId: a },
    b: { kind: 'tenant', tenantId: b },
    empty: { kind: 'tenant', tenantId: empty },
    granted: { kind: 'restricted', tenantId: a, userId: granted },
    locked: { kind: 'restricted', tenantId: a, userId: locked },
    none: { kind: 'none' },
  } satisfies typeof scopes);
});
afterAll(() => database.close());

const idOf = (name: string) => [...names].find(([, known]) => known === name)?.[0] ?? '';
const namesOf = (rows: { id: string }[]) => rows.map(({ id }) => names.get(id));
const within = (name: keyof typeof scopes): ScopedDatabase => scoped(database.db, scopes[name]);

const organizations: Record<keyof typeof scopes, string[]> = {
  all: ['a', 'b', 'both', 'free'],
  a: ['a', 'both'],
  b: ['b', 'both'],
  empty: [],
  granted: ['both'],
  locked: [],
  none: [],
};
const looseFiles: Record<keyof typeof scopes, string[]> = {
  all: ['loose file in a', 'loose file in a of the granted', 'loose file of no tenant'],
  a: ['loose file in a', 'loose file in a of the granted'],
  b: [],
  empty: [],
  granted: ['loose file in a of the granted'],
  locked: [],
  none: [],
};

describe.each(Object.keys(organizations) as (keyof typeof scopes)[])('scope %s', (name) => {
  const expected = organizations[name];

  test('organizations', async () => {
    expect(namesOf(await within(name).organizations().select('id').orderBy('id').execute())).toEqual(expected);
  });

  test('addresses', async () => {
    const rows = await within(name).addresses().select('id').orderBy('id').execute();
    expect(namesOf(rows)).toEqual(expected.map((organization) => `address of ${organization}`));
  });

  test('contacts', async () => {
    const rows = await within(name).contacts().select('id').orderBy('id').execute();
    expect(namesOf(rows)).toEqual(expected.map((organization) => `contact of ${organization}`));
  });

  test('documents', async () => {
    const rows = await within(name).documents().select('id').orderBy('id').execute();
    expect(namesOf(rows)).toEqual(expected.map((organization) => `document of ${organization}`));
  });

  test('attachments', async () => {
    const rows = await within(name).attachments().select('id').orderBy('id').execute();
    const ofOrganizations = expected.map((organization) => `document of ${organization}`);
    const logo = expected.includes('a') ? ['logo of a'] : [];
    expect(namesOf(rows)).toEqual([...ofOrganizations, ...logo, ...looseFiles[name]]);
  });

  test('canReach', async () => {
    const reached: string[] = [];
    for (const [id, name_] of names) if (await within(name).isInScope(id)) reached.push(name_);
    expect(reached).toEqual(expected);
  });

  test('lockAttachable', async () => {
    const attachable: string[] = [];
    for (const organization of ['a', 'b', 'both', 'gone', 'free'])
      if (await within(name).lockAttachmentTarget(idOf(organization))) attachable.push(organization);
    expect(attachable).toEqual(expected);
    expect(await within(name).lockAttachmentTarget(newId())).toBe(true);
  });

  // Rules: SCOPE-1, SCOPE-10
  test.each<[ScopedTable, (scope: ScopedDatabase) => Promise<{ id: string }[]>]>([
    ['organizations', (scope) => scope.organizations().select('id').execute()],
    ['organizationAddresses', (scope) => scope.addresses().select('id').execute()],
    ['organizationContacts', (scope) => scope.contacts().select('id').execute()],
    ['attachments', (scope) => scope.attachments().select('id').execute()],
  ])('updates of %s reach what is seen', async (table, see) => {
    const changed = await within(name)
      .updateTable(table)
      .set('id', (eb) => eb.ref('id'))
      .returning('id')
      .execute();
    expect(namesOf(changed).toSorted()).toEqual(namesOf(await see(within(name))).toSorted());
  });
});

describe('a change in scope', () => {
  test('deletes what is in scope and nothing else', async () => {
    const contact = idOf('contact of a');
    const remove = (name: keyof typeof scopes) =>
      within(name).deleteFrom('organizationContacts').where('id', '=', contact).executeTakeFirstOrThrow();
    expect(await remove('b')).toMatchObject({ numDeletedRows: 0n });
    expect(await remove('granted')).toMatchObject({ numDeletedRows: 0n });
    expect(await remove('a')).toMatchObject({ numDeletedRows: 1n });
  });

  test('patches what is in scope and nothing else', async () => {
    const id = idOf('b');
    expect(await within('a').patch('organizations', id, { alias: 'mine' })).toBeUndefined();
    expect(await within('a').patch('organizations', id, {})).toBeUndefined();
    expect(await within('b').patch('organizations', id, { alias: 'mine' })).toMatchObject({ id, alias: 'mine' });
    expect(await within('b').patch('organizations', id, {})).toMatchObject({ id, alias: 'mine' });
  });

  test('gives a new attachment the active tenant', async () => {
    const user = await records(database.db).user();
    const insert = (name: keyof typeof scopes) => {
      const file = { filePath: newId(), originalFilename: 'a.png', contentType: 'image/png', size: 1 };
      return within(name)
        .insertAttachment({ id: newId(), userId: user, ...file })
        .returning('tenantId')
        .executeTakeFirst();
    };
    expect(await insert('all')).toEqual({ tenantId: null });
    expect(await insert('a')).toEqual({ tenantId: 'tenantId' in scopes.a && scopes.a.tenantId });
  });

  test('waits for whoever holds the lock of the organization', async () => {
    const id = idOf('a');
    const add = (scope: ScopedDatabase, value: string) =>
      scope.lockOrganization(id).then((locked) => locked?.insertContact({ id: newId(), type: 'PHONE', value }).execute());
    const waiting = () =>
      sql<{ pid: number }>`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        database.db,
      );

    expect(await within('b').lockOrganization(id)).toBeUndefined();
    const second = await database.db.transaction().execute(async (trx) => {
      await add(scoped(trx, scopes.a), 'first');
      const other = database.db.transaction().execute((later) => add(scoped(later, scopes.a), 'second'));
      await expect.poll(async () => (await waiting()).rows.length).toBe(1);
      // In an object, since a transaction's result that is a promise would be awaited before the commit.
      return { other };
    });
    await second.other;
    const contacts = await within('a').contacts().select('value').where('organizationId', '=', id).orderBy('id').execute();
    expect(contacts.slice(-2)).toEqual([{ value: 'first' }, { value: 'second' }]);
  });
});

describe("a handler's database", () => {
  // Rules: SCOPE-10
  test('has no scoped table, and the whole base by the name of the reason alone', async () => {
    expectTypeOf<Extract<keyof HandlerTables, ScopedTable | 'organizationTenants' | 'membershipOrganizations'>>().toBeNever();
    expectTypeOf(unscoped).parameter(1).not.toEqualTypeOf<string>();
    const all = await unscoped(withoutScopedTables(database.db), 'creates the link').selectFrom('organizations').select('id').execute();
    expect(all).toHaveLength(5);
  });
});
