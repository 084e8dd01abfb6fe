import { describe, expect, test } from 'vitest';
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
