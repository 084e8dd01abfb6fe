import pg from 'pg';
import type { Row } from './types.ts';

const { DATABASE_URL = '' } = process.env;

// The texts that the database sends become ISO timestamps without a Date.
const { TIMESTAMPTZ, INT8 } = pg.types.builtins;
pg.types.setTypeParser(TIMESTAMPTZ, (text) => `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`);
pg.types.setTypeParser(INT8, Number);
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });

let statements = 0;
/** Returns a function that runs a named prepared statement. */
function prepare(text: string) {
  const name = `s${(statements += 1)}`;
  return async (values: unknown[]) => (await pool.query<Row>({ name, text, values })).rows;
}

/** Selects columns under the names that they have in responses. */
const select = (table: string, names: string) =>
  names.replaceAll(/\w+/g, (name) => `${table}.${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} as "${name}"`);
const organizationNames =
  'id, name, alias, federalTaxId, stateTaxId, municipalTaxId, logoPath, active, listed, metadata, organizationAddressId, createdAt, updatedAt, deletedAt';
const organization = select('o', organizationNames);
const contact = select('c', 'id, organizationId, type, description, value, isPrimary, createdAt, updatedAt');
const user = select('u', 'id, idIdentity, name, email, federalTaxId, type, jobTitle, customerId, createdAt, updatedAt');
const attachment = select('a', 'id, entityType, filePath, originalFilename, description, external, entityId, userId, createdAt, updatedAt');

const live = 'o.deleted_at is null';
const linked = (id: string) => `exists (select from organization_tenants l where l.tenant_id = $1 and l.organization_id = ${id})`;
const scoped = `from organization_tenants l join organizations o on o.id = l.organization_id where l.tenant_id = $1 and ${live}`;
const named = (parameter: string) => `and search_contains(o.search_name, ${parameter})`;
/** The number of live organizations: of a tenant, or of all under the nil UUID. A counter is the sum of its rows. */
const counted = (tenant: string) => `(select sum(count)::bigint from organization_counts where tenant_id = ${tenant}) as total`;
const notify = `pg_notify('profile_caller_invalidation', json_build_object('sub', json_build_array(u.id_identity))::text)`;
const setPersona = 'on conflict (user_id, tenant_id) do update set persona = excluded.persona';

export const sql = {
  user: prepare(`select u.id, u.type, m.tenant_id as "tenantId", m.persona from users u left join
       (memberships m join tenants t on t.id = m.tenant_id and t.active) on m.user_id = u.id and m.tenant_id = $2
     where u.id_identity = $1 and u.deleted_at is null`),
  application: prepare('select t.id from tenants t where t.identity_client_id = $1 and t.active'),
  get: prepare(`select ${organization} from organizations o where o.id = $2 and ${live} and ${linked('o.id')}`),
  list: prepare(`select ${organization}, ${counted('$1')} ${scoped} order by l.organization_id desc limit $2 offset $3`),
  listNamed: prepare(
    `select ${organization}, count(*) over () as total ${scoped} ${named('$4')} order by l.organization_id desc limit $2 offset $3`,
  ),
  listAll: prepare(`select ${organization}, ${counted("'00000000-0000-0000-0000-000000000000'")}
     from organizations o where ${live} order by o.id desc limit $1 offset $2`),
  listAllNamed: prepare(
    `select ${organization}, count(*) over () as total from organizations o where ${live} ${named('$3')} order by o.id desc limit $1 offset $2`,
  ),
  members: prepare(`select ${select('u', 'id, name, email, type, jobTitle')}, m.persona from memberships m join users u on u.id = m.user_id
     where m.tenant_id = $1 and u.deleted_at is null order by u.id desc`),
  addContact: prepare(`with o as (select o.id from organizations o where o.id = $2 and ${live} and ${linked('o.id')} for no key update),
       cleared as (update organization_contacts c set is_primary = false, updated_at = now() from o
         where $6 and c.organization_id = o.id and c.is_primary returning 1)
     insert into organization_contacts as c (id, organization_id, type, value, description, is_primary)
       select uuidv7(), o.id, $3, $4, $5, $6 from o left join (select count(*) from cleared) done on true returning ${contact}`),
  addOrganization: prepare(`with new as materialized (select uuidv7() id, uuidv7() address_id),
       address as (insert into organization_addresses (id, organization_id, zip_code, street, number, complement, district, city_code,
           state_code, latitude, longitude, country)
         select address_id, id, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21 from new),
       contacts as (insert into organization_contacts (id, organization_id, type, value, description, is_primary)
         select uuidv7(), new.id, c.* from new, unnest($22::text[], $23::text[], $24::text[], $25::boolean[]) c),
       link as (insert into organization_tenants (organization_id, tenant_id) select id, $1 from new),
       granted as (insert into membership_organizations (user_id, tenant_id, organization_id)
         select m.user_id, m.tenant_id, new.id from memberships m, new where m.user_id = $2 and m.tenant_id = $1 and m.scope = 'RESTRICTED')
     insert into organizations as o (id, organization_address_id, active, listed, name, alias, federal_tax_id, state_tax_id, municipal_tax_id,
         logo_path, metadata)
       select id, address_id, $3, $4, $5, $6, $7, $8, $9, $10, $11 from new returning ${organization}`),
  addMember: prepare(`with u as (select id, id_identity from users where id = $1 and deleted_at is null for update),
       m as (insert into memberships (user_id, tenant_id, persona) select id, $2, $3 from u ${setPersona})
     select ${notify} from u`),
  provision: prepare(`with u as (select u.* from users u where u.deleted_at is null and (u.email = $2 or u.federal_tax_id = $3)),
       m as (insert into memberships (user_id, tenant_id, persona)
         select id, $1, $4 from u where email = $2 and federal_tax_id = $3 ${setPersona})
     select ${user}, ${notify} as notified from u where u.email = $2 and u.federal_tax_id = $3`),
  file: prepare(`select a.file_path as path, a.original_filename as filename, a.content_type as type, a.size from attachments a
     where a.id = $2 and a.deleted_at is null and ${linked('a.entity_id')}
       and not exists (select from organizations o where o.id = a.entity_id and o.deleted_at is not null)`),
  addFile:
    prepare(`insert into attachments as a (id, entity_type, entity_id, file_path, original_filename, description, user_id, tenant_id, content_type, size)
       select uuidv7(), $4, $3, $5, $6, $7, $2, $1, $8, $9 where ${linked('$3::uuid')} returning ${attachment}`),
};
