import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { connect, type Database, errorCodeOf, newId } from '../src/index.ts';
import { records } from './records.ts';

let database: Database;
let make: ReturnType<typeof records>;

beforeAll(async () => {
  database = connect({ connectionString: await createTestDatabase() });
  make = records(database.db);
  await make.places();
});
afterAll(() => database.close());

function violation(fields: Partial<Pick<pg.DatabaseError, 'code' | 'constraint' | 'table' | 'detail'>>): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('violates a constraint', 0, 'error'), fields);
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no violation',
    (error: unknown) => errorCodeOf(error),
  );

describe('the catalogue of the database', () => {
  /** Constraints that no request can violate: on generated ids, with upserts, or checked under a lock. */
  const withGeneratedId =
    'apps attachments customers document_types journal organization_addresses organization_contacts organization_counts organizations tenants users';
  const withoutCode = [
    ...withGeneratedId.split(' ').map((table) => `${table}_pkey`),
    'memberships_pkey',
    'membership_organizations_pkey',
    'organization_tenants_pkey',
    'attachments_file_path_key',
    'event_epochs_pkey',
    'idempotency_keys_pkey',
    'organization_addresses_current_key',
    'organization_contacts_primary_key',
  ];

  // Rules: RECORDS-4
  test('has an error code for each unique constraint', async () => {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
      where indisunique and relnamespace = 'public'::regnamespace and relname not like 'kysely%' and not relispartition order by 1`.execute(
      database.db,
    );
    const unmapped = rows.map(({ name }) => name).filter((constraint) => !errorCodeOf(violation({ code: '23505', constraint })));
    expect(unmapped).toEqual(withoutCode.toSorted());
  });

  test('has an error code for both sides of each foreign key', async () => {
    const { rows } = await sql<{ constraint: string; table: string; target: string; rule: string }>`
      select conname as constraint, conrelid::regclass::text as table, confrelid::regclass::text as target, confdeltype::text as rule
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`.execute(database.db);
    /** Rows of other tables are not deleted, or soft-deleted, or deleted with the rows that refer to them. */
    const removable = ['apps', 'cities', 'customers', 'states'];
    const unmapped = rows.filter(({ constraint, table, target, rule }) => {
      const code = '23503';
      const absent = errorCodeOf(violation({ code, constraint, table, detail: `Key (x)=(1) is not present in table "${target}".` }));
      const inUse = errorCodeOf(violation({ code, constraint, table, detail: `Key (x)=(1) is still referenced from table "${table}".` }));
      return !absent || (rule === 'a' && removable.includes(target) && !inUse);
    });
    expect(rows.length).toBeGreaterThan(15);
    expect(unmapped).toEqual([]);
  });
});

describe('errorCodeOf', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['USER_ALREADY_EXISTS', () => twice(() => make.user({ email: 'same@example.com' }))],
    ['USER_ALREADY_EXISTS', () => twice(() => make.user({ federalTaxId: '99999999999' }))],
    ['IDENTITY_ALREADY_LINKED', () => twice(() => make.user({ idIdentity: 'same' }))],
    ['STATE_ALREADY_EXISTS', () => addState({ stateCode: 35, uf: 'XX' })],
    ['STATE_ALREADY_EXISTS', () => addState({ stateCode: 99, uf: 'SP' })],
    ['CITY_ALREADY_EXISTS', () => addCity({ ibgeCode: 3550308, siafiId: '1' })],
    ['CITY_ALREADY_EXISTS', () => addCity({ ibgeCode: 1, siafiId: '7107' })],
    ['CUSTOMER_NOT_FOUND', () => make.tenant({ customerId: newId() })],
    ['TENANT_NOT_FOUND', async () => make.restricted(await make.user(), newId())],
    ['TENANT_NOT_FOUND', () => make.organization({}, newId())],
    ['ORGANIZATION_NOT_LINKED_TO_TENANT', async () => make.restricted(await make.user(), await make.tenant(), await make.organization())],
    ['ORGANIZATION_NOT_FOUND', () => make.address(newId())],
    ['CUSTOMER_IN_USE', () => usedBy(make.customer, (customerId) => make.tenant({ customerId }), 'customers')],
    ['CUSTOMER_IN_USE', () => usedBy(make.customer, (customerId) => make.user({ customerId, deletedAt: '2026-01-01' }), 'customers')],
    ['APP_IN_USE', () => usedBy(make.app, (appId) => make.tenant({ appId }), 'apps')],
    ['STATE_IN_USE', () => database.db.deleteFrom('states').where('stateCode', '=', 41).execute()],
    ['CITY_IN_USE', () => deleteCityOfAddress()],
  ])('returns %s', async (code, work) => expect(await codeOf(work())).toBe(code));

  const twice = async (work: () => Promise<unknown>) => [await work(), await work()];
  const place = { name: 'X', latitude: 0, longitude: 0 };
  const newState = { ...place, region: 'Sul' };
  const addState = (values: { stateCode: number; uf: string }) =>
    database.db
      .insertInto('states')
      .values({ ...newState, ...values })
      .execute();
  const newCity = { ...place, ibgeCode: 2, siafiId: '2', stateCode: 35, capital: false, ddd: 11, timeZone: 'America/Sao_Paulo' };
  const addCity = (values: Partial<typeof newCity>) =>
    database.db
      .insertInto('cities')
      .values({ ...newCity, ...values })
      .execute();
  const usedBy = async (insert: () => Promise<string>, refer: (id: string) => Promise<unknown>, table: 'customers' | 'apps') => {
    const id = await insert();
    await refer(id);
    await database.db.deleteFrom(table).where('id', '=', id).execute();
  };
  const deleteCityOfAddress = async () => {
    await make.address(await make.organization());
    await database.db.deleteFrom('cities').where('ibgeCode', '=', 3550308).execute();
  };

  test('distinguishes unknown states and cities from a mismatch also in a restored backup, whose foreign keys are ordered by name', async () => {
    const { rows } = await sql<{ name: string; definition: string }>`
      select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
      where conrelid = 'organization_addresses'::regclass and contype = 'f' order by conname`.execute(database.db);
    const table = (change: string) => sql.raw(`alter table organization_addresses ${change}`).execute(database.db);
    for (const { name, definition } of rows) await table(`drop constraint ${name}, add constraint ${name} ${definition}`);
    const codes = [{ stateCode: 1 }, { cityCode: 1 }, { stateCode: 41 }].map(async (wrong) =>
      codeOf(make.address(await make.organization(), wrong)),
    );
    expect(await Promise.all(codes)).toEqual(['STATE_NOT_FOUND', 'CITY_NOT_FOUND', 'CITY_STATE_MISMATCH']);
  });

  test.each([
    ['APP_IN_USE', 'Schlüssel (id)=(7) wird noch aus Tabelle »tenants« verwiesen.'],
    ['APP_NOT_FOUND', 'Schlüssel (app_id)=(7) ist nicht in Tabelle »apps« vorhanden.'],
    ['APP_NOT_FOUND', 'Key (app_id)=(tenants) is not present in table "apps".'],
  ])('returns %s for the detail %j, in any language of the server', (code, detail) => {
    expect(errorCodeOf(violation({ code: '23503', constraint: 'tenants_app_id_fkey', table: 'tenants', detail }))).toBe(code);
  });

  test('returns undefined for other errors', async () => {
    expect(await codeOf(make.user({ name: '' }))).toBeUndefined();
    expect(await codeOf(sql`select 1 / 0`.execute(database.db))).toBeUndefined();
    expect(errorCodeOf(new Error('users_email_key'))).toBeUndefined();
  });
});
