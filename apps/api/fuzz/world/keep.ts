import type pg from 'pg';
import type { People } from './people.ts';
import { place } from './place.ts';

/**
 * The callers, their tenants and the place where they make organizations stay what they are, whoever deletes or changes them: without them nothing
 * would be allowed any more. Who changes such a record is told that there is none, as foreign keys tell it; a new membership, persona or scope of
 * theirs is not taken down.
 */
export async function keepForEver(
  pool: pg.Pool,
  { globalId, admin, viewer, restricted, tenantId, foreignTenantId }: People,
): Promise<void> {
  const users = list([globalId, admin.id, viewer.id, restricted.id]);
  const tenants = list([tenantId, foreignTenantId]);
  await pool.query(`
    create function keep() returns trigger language plpgsql as $$
    begin
      if tg_table_name = 'memberships' and tg_op <> 'DELETE' then return null; end if;
      raise foreign_key_violation using constraint = tg_argv[0];
    end $$;
    create trigger keep_users before update on users for each row
      when (old.id in (${users})) execute function keep('memberships_user_id_fkey');
    create trigger keep_tenants before update or delete on tenants for each row
      when (old.id in (${tenants})) execute function keep('memberships_tenant_id_fkey');
    create trigger keep_memberships before update or delete on memberships for each row
      when (old.user_id in (${users}) and old.tenant_id = ${list([tenantId])}) execute function keep('memberships_user_id_fkey');
    create trigger keep_single before insert on memberships for each row
      when (new.user_id in (${users})) execute function keep('memberships_user_id_fkey');
    create trigger keep_city before update or delete on cities for each row
      when (old.ibge_code = ${place.cityCode}) execute function keep('organization_addresses_city_code_fkey');
    create trigger keep_state before update or delete on states for each row
      when (old.state_code = ${place.stateCode}) execute function keep('organization_addresses_state_code_fkey')`);
}

const list = (ids: readonly string[]): string => ids.map((id) => `'${id}'`).join(', ');
