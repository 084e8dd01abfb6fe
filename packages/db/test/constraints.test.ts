import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { errorCodeOf } from '../src/index.ts';
import { useDatabase } from './use-database.ts';

const { make, sql } = await useDatabase();
await make.places();

const violation = (fields: Partial<Pick<pg.DatabaseError, 'code' | 'constraint' | 'table' | 'detail'>>) =>
  Object.assign(new pg.DatabaseError('violates a constraint', 0, 'error'), fields);

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no violation',
    (error: unknown) => errorCodeOf(error),
  );

describe('the catalogue of the database', () => {
  /** Constraints that no request can violate: on generated ids, with upserts, or checked under a lock. */
  const tables = `apps attachments customers document_types event_epochs idempotency_keys journal membership_organizations memberships
    organization_addresses organization_contacts organization_counts organization_tenants organizations tenants users`;
  const others = ['attachments_file_path_key', 'organization_addresses_current_key', 'organization_contacts_primary_key'];
  const withoutCode = [...tables.split(/\s+/).map((table) => `${table}_pkey`), ...others];

  // Rules: RECORDS-4
  test('has an error code for each unique constraint', async () => {
    const rows = await sql<{ constraint: string; table: string }>(`
      select relname as constraint, indrelid::regclass::text as table from pg_index join pg_class on pg_class.oid = indexrelid
      where indisunique and relnamespace = 'public'::regnamespace and relname not like 'kysely%' and not relispartition order by 1`);
    const unmapped = rows.filter((violated) => !errorCodeOf(violation({ code: '23505', ...violated })));
    expect(unmapped.map(({ constraint }) => constraint)).toEqual(withoutCode.toSorted());
  });

  test('has an error code for both sides of each foreign key', async () => {
    const rows = await sql<{ constraint: string; table: string; target: string; rule: string }>(`
      select conname as constraint, conrelid::regclass::text as table, confrelid::regclass::text as target, confdeltype::text as rule
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`);
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
  test('distinguishes unknown states and cities from a mismatch also in a restored backup, whose foreign keys are ordered by name', async () => {
    const keys = await sql<{ name: string; definition: string }>(`
      select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
      where conrelid = 'organization_addresses'::regclass and contype = 'f' order by conname`);
    for (const { name, definition } of keys)
      await sql(`alter table organization_addresses drop constraint ${name}, add constraint ${name} ${definition}`);
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
    expect(await codeOf(sql('select 1 / 0'))).toBeUndefined();
    expect(errorCodeOf(new Error('users_email_key'))).toBeUndefined();
  });
});
