import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { errorCodeOf } from '../src/index.ts';
import { useDatabase } from './use-database.ts';

const { make, sql } = await useDatabase();
await make.places();

const violating = (constraint: string) => expect.objectContaining({ constraint });

/** Queries that return the names of the objects that break the rule. */
const rules: Record<string, string> = {
  'every foreign key has an index that starts with its columns': `
    select conname from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and not exists (
      select from pg_index where indrelid = conrelid and indpred is null
        and (indkey::int2[])[0:cardinality(conkey) - 1] <@ conkey and (indkey::int2[])[0:cardinality(conkey) - 1] @> conkey
    )`,
  'names of constraints start with the table, and names of indexes end with their kind': `
    select conname from pg_constraint
    where connamespace = 'public'::regnamespace and conrelid::regclass::text not like 'kysely%' and not starts_with(conname, conrelid::regclass || '_')
      and conrelid not in (select inhrelid from pg_inherits)
    union all
    select indexrelid::regclass::text from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = 'public'::regnamespace and indexrelid::regclass::text !~ '_(pkey|key|idx|excl)$'`,
  'unique constraints are immediate, so that concurrent equal inserts wait for each other and do not deadlock': `
    select conname from pg_constraint where contype in ('p', 'u') and connamespace = 'public'::regnamespace and condeferrable`,
  'timestamps have a time zone and milliseconds': `
    select relname || '.' || attname from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely%' and attname ~ '_(at|since|from|to)$'
      and format_type(atttypid, atttypmod) <> 'timestamp(3) with time zone'`,
  'every table with a version captures its insertions, updates and deletions': `
    select relname from pg_class
    join pg_attribute on attrelid = pg_class.oid and attname = 'version' left join pg_trigger on tgrelid = pg_class.oid and tgname like 'capture_%'
    where relkind = 'r' and relnamespace = 'public'::regnamespace
    group by 1 having bit_or(tgtype::int & (4 | 8 | 16)) is distinct from (4 | 8 | 16)`,
  'timestamps of captured tables are the columns that end with _at, _from or _to': `
    select attrelid::regclass::text || '.' || attname from pg_attribute
    where attnum > 0 and not attisdropped and attrelid in (select tgrelid from pg_trigger where tgname like 'capture_%')
      and (atttypid = 'timestamptz'::regtype) <> (attname ~ '_(at|from|to)$')`,
  'all extensions are trusted, so that any user of a managed PostgreSQL can create them': `
    select extname from pg_extension where not exists (
      select from pg_available_extension_versions where name = extname and version = extversion and trusted
    )`,
};

test.each(Object.entries(rules))('%s', async (_rule, query) => expect(await sql(query)).toEqual([]));

describe('addresses', () => {
  const [january, march, may, july] = ['2026-01-01', '2026-03-01', '2026-05-01', '2026-07-01'];

  // Rules: ADDRESSES-2
  test('of one organization have periods that do not overlap, but may adjoin', async () => {
    const [organization, other] = [await make.organization(), await make.organization()];
    await make.address(organization, { validFrom: january, validTo: march });
    await make.address(organization, { validFrom: march, validTo: may });
    await make.address(organization, { validFrom: july });
    await make.address(other, { validFrom: january });
    const period = violating('organization_addresses_period_excl');
    await expect(make.address(organization, { validFrom: january, validTo: may })).rejects.toEqual(period);
    await expect(make.address(organization, { validFrom: may, validTo: '2026-07-01T00:00:00.001Z' })).rejects.toEqual(period);
    await make.address(organization, { validFrom: may, validTo: july });
    await expect(make.address(other, { validFrom: july, validTo: january })).rejects.toEqual(violating('organization_addresses_check'));
  });

  // Rules: ADDRESSES-3
  test('of one organization include at most one current address', async () => {
    const organization = await make.organization();
    await make.address(organization, { validFrom: january });
    await expect(make.address(organization, { validFrom: july })).rejects.toMatchObject({ code: expect.stringMatching(/^(23505|23P01)$/) });
  });
});

// Rules: CONTACTS-7
test('contacts of one organization include at most one primary contact', async () => {
  const organization = await make.organization();
  await make.contact(organization, { isPrimary: true });
  await make.contact(organization);
  await expect(make.contact(organization, { isPrimary: true })).rejects.toEqual(violating('organization_contacts_primary_key'));
});

test('deleting a link deletes the grants on the organization in that tenant only', async () => {
  const [one, two, user] = [await make.tenant(), await make.tenant(), await make.user()];
  const organization = await make.organization({}, one, two);
  for (const tenant of [one, two]) await make.restricted(user, tenant, organization);
  await sql('delete from organization_tenants where tenant_id = $1', [one]);
  expect(await sql('select tenant_id from membership_organizations where user_id = $1', [user])).toEqual([{ tenant_id: two }]);
});

const violation = (fields: Partial<Pick<pg.DatabaseError, 'code' | 'constraint' | 'table' | 'detail'>>) =>
  Object.assign(new pg.DatabaseError('violates a constraint', 0, 'error'), fields);

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no violation',
    (error: unknown) => errorCodeOf(error),
  );

describe('the catalogue of the database', () => {
  /** Constraints that no request can violate: requests are checked under a lock, or the value is generated. */
  const withoutCode = ['attachments_file_path_key', 'organization_addresses_current_key', 'organization_contacts_primary_key'];

  // Rules: RECORDS-4
  test('has an error code for each unique constraint, except primary keys that the service generates', async () => {
    const rows = await sql<{ constraint: string; table: string }>(`
      select relname as constraint, indrelid::regclass::text as table from pg_index join pg_class on pg_class.oid = indexrelid
      where indisunique and (not indisprimary or indrelid::regclass::text in ('states', 'cities'))
        and relnamespace = 'public'::regnamespace and relname not like 'kysely%' and not relispartition order by 1`);
    const unmapped = rows.filter((violated) => !errorCodeOf(violation({ code: '23505', ...violated })));
    expect(unmapped.map(({ constraint }) => constraint)).toEqual(withoutCode);
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
