import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { connect, type Database, newId } from '../src/index.ts';
import { records } from './records.ts';

let database: Database;
let make: ReturnType<typeof records>;

beforeAll(async () => {
  database = connect({ connectionString: await createTestDatabase() });
  make = records(database.db);
  await make.places();
});
afterAll(() => database.close());

const violating = (constraint: string) => expect.objectContaining({ constraint });

describe('catalogue', () => {
  test('every foreign key has an index that its columns lead', async () => {
    const { rows } = await sql<{ name: string }>`
      select conname as name from pg_constraint fk
      where contype = 'f' and connamespace = 'public'::regnamespace and not exists (
        select from pg_index where indrelid = conrelid and indpred is null
          and (indkey::int2[])[0:cardinality(conkey) - 1] <@ conkey and (indkey::int2[])[0:cardinality(conkey) - 1] @> conkey
      )`.execute(database.db);
    expect(rows).toEqual([]);
  });

  test('names follow table and columns', async () => {
    const { rows } = await sql<{ name: string }>`
      select conname as name from pg_constraint
      where connamespace = 'public'::regnamespace and conrelid::regclass::text not like 'kysely%' and not starts_with(conname, conrelid::regclass || '_')
      union all
      select indexrelid::regclass::text from pg_index join pg_class on pg_class.oid = indrelid
      where relnamespace = 'public'::regnamespace and indexrelid::regclass::text !~ '_(pkey|key|idx|excl)$'`.execute(database.db);
    expect(rows).toEqual([]);
  });

  test('timestamps have a zone and milliseconds', async () => {
    const { rows } = await sql<{ type: string }>`
      select distinct format_type(atttypid, atttypmod) as type from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely%' and attname ~ '_(at|since|from|to)$'`.execute(
      database.db,
    );
    expect(rows).toEqual([{ type: 'timestamp(3) with time zone' }]);
  });

  test('only extensions that an ordinary user of a managed PostgreSQL may create', async () => {
    const { rows } = await sql<{ name: string }>`
      select extname as name from pg_extension where not exists (
        select from pg_available_extension_versions where name = extname and version = extversion and trusted
      )`.execute(database.db);
    expect(rows).toEqual([]);
  });
});

describe('uniqueness', () => {
  test('of users counts live rows only', async () => {
    const person = { email: 'ana@example.com', federalTaxId: '52998224725', idIdentity: 'ana' };
    await make.user({ ...person, deletedAt: new Date().toISOString() });
    await make.user(person);
    await expect(make.user({ email: person.email })).rejects.toEqual(violating('users_email_key'));
    await expect(make.user({ federalTaxId: person.federalTaxId })).rejects.toEqual(violating('users_federal_tax_id_key'));
    await expect(make.user({ idIdentity: person.idIdentity })).rejects.toEqual(violating('users_id_identity_key'));
  });

  test('of organizations counts live rows only', async () => {
    const federalTaxId = '12ABC34501DE35';
    await make.organization({ federalTaxId, deletedAt: new Date().toISOString() });
    await make.organization({ federalTaxId });
    await expect(make.organization({ federalTaxId })).rejects.toEqual(violating('organizations_federal_tax_id_key'));
  });
});

describe('addresses', () => {
  const [january, march, may, july] = ['2026-01-01', '2026-03-01', '2026-05-01', '2026-07-01'];

  // Rules: ADDRESSES-2
  test('of one organization never overlap, and may follow each other without a gap', async () => {
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
  test('are current at most once in an organization', async () => {
    const organization = await make.organization();
    await make.address(organization, { validFrom: january });
    await expect(make.address(organization, { validFrom: july })).rejects.toMatchObject({ code: expect.stringMatching(/^(23505|23P01)$/) });
  });

  test('lie in a city of their state, also when the city changes its state', async () => {
    const address = await make.address(await make.organization());
    const { db } = database;
    const change = db.updateTable('organizationAddresses').where('id', '=', address);
    await expect(change.set({ stateCode: 41 }).execute()).rejects.toEqual(violating('organization_addresses_state_of_city_fkey'));
    await change.set({ stateCode: 41, cityCode: 4106902 }).execute();
    await db.updateTable('cities').set({ stateCode: 35 }).where('ibgeCode', '=', 4106902).execute();
    const row = await db.selectFrom('organizationAddresses').select('stateCode').where('id', '=', address).executeTakeFirstOrThrow();
    expect(row).toEqual({ stateCode: 35 });
    await db.updateTable('cities').set({ stateCode: 41 }).where('ibgeCode', '=', 4106902).execute();
  });

  test('leave their organization without a current address when they go', async () => {
    const { db } = database;
    const organization = await make.organization();
    const organizationAddressId = await make.address(organization);
    await db.updateTable('organizations').set({ organizationAddressId }).where('id', '=', organization).execute();
    await db.deleteFrom('organizationAddresses').where('id', '=', organizationAddressId).execute();
    const row = await db
      .selectFrom('organizations')
      .select('organizationAddressId')
      .where('id', '=', organization)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ organizationAddressId: null });
  });

  test('can be made in one statement with their organization', async () => {
    const [organization, address] = [newId(), newId()];
    await sql`
      with organization as (
        insert into organizations (id, name, federal_tax_id, organization_address_id) values (${organization}, 'Nova', '00000000009999', ${address})
      )
      insert into organization_addresses (id, organization_id, zip_code, street, number, city_code, state_code)
      values (${address}, ${organization}, '01001000', 'Sé', '1', 3550308, 35)`.execute(database.db);
    const made = await database.db.selectFrom('organizations').select('organizationAddressId').where('id', '=', organization).execute();
    expect(made).toEqual([{ organizationAddressId: address }]);
  });
});

describe('contacts', () => {
  // Rules: CONTACTS-7
  test('are primary at most once in an organization', async () => {
    const organization = await make.organization();
    await make.contact(organization, { isPrimary: true });
    await make.contact(organization);
    await expect(make.contact(organization, { isPrimary: true })).rejects.toEqual(violating('organization_contacts_primary_key'));
  });
});

describe('document types', () => {
  const add = (values: { name: string; hasExpiration?: boolean; defaultValidityDays?: number }) =>
    database.db
      .insertInto('documentTypes')
      .values({ id: newId(), ...values })
      .execute();

  test('have days of validity, one or more, only where they expire', async () => {
    await add({ name: 'Alvará', hasExpiration: true, defaultValidityDays: 1 });
    await add({ name: 'Licença', hasExpiration: true });
    await expect(add({ name: 'Estatuto', defaultValidityDays: 30 })).rejects.toEqual(violating('document_types_validity_check'));
    const none = add({ name: 'Ata', hasExpiration: true, defaultValidityDays: 0 });
    await expect(none).rejects.toEqual(violating('document_types_default_validity_days_check'));
  });
});

describe('a deleted tenant', () => {
  test('takes its memberships, grants and links with it; its files stay', async () => {
    const { db } = database;
    const [tenant, user] = [await make.tenant(), await make.user()];
    const organization = await make.organization({}, tenant);
    await make.restricted(user, tenant, organization);
    const attachment = await make.attachment(user, { tenantId: tenant });
    await db.deleteFrom('tenants').where('id', '=', tenant).execute();
    for (const table of ['memberships', 'membershipOrganizations', 'organizationTenants'] as const) {
      expect(await db.selectFrom(table).selectAll().where('tenantId', '=', tenant).execute()).toEqual([]);
    }
    const file = await db.selectFrom('attachments').select('tenantId').where('id', '=', attachment).executeTakeFirstOrThrow();
    expect(file).toEqual({ tenantId: null });
  });
});

describe('an ended link', () => {
  test('ends the grants on that organization in that tenant alone', async () => {
    const { db } = database;
    const [one, two, user] = [await make.tenant(), await make.tenant(), await make.user()];
    const organization = await make.organization({}, one, two);
    await make.restricted(user, one, organization);
    await make.restricted(user, two, organization);
    await db.deleteFrom('organizationTenants').where('tenantId', '=', one).execute();
    const left = await db.selectFrom('membershipOrganizations').select('tenantId').where('userId', '=', user).execute();
    expect(left).toEqual([{ tenantId: two }]);
  });
});
