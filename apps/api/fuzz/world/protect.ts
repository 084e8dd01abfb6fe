import type pg from 'pg';
import type { People } from './people.ts';
import { place } from './place.ts';

/**
 * Adds triggers that prevent changes of the callers, their tenants, and one city with its state. Without them, a random request could remove a caller,
 * and the service would refuse all further requests. A request that would change such a record fails with a foreign-key error, like a request for an
 * unknown record. New and changed memberships of these users are discarded.
 */
export async function protectFixtures(
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
