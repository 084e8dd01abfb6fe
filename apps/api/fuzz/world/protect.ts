import { saoPaulo } from '@profile-service/contracts/examples';
import type { Sql } from '../../test/support/test-world.ts';

/**
 * Adds triggers that prevent changes of the callers, their tenants, and one city with its state. Without them, a random request could remove a caller,
 * and the service would refuse all further requests. A request that would change such a record fails with a foreign-key error, like a request for an
 * unknown record. New and changed memberships of these users are discarded.
 */
export async function protectRecords(sql: Sql, userIds: readonly string[], tenantIds: readonly string[]): Promise<void> {
  const [users, tenants] = [list(userIds), list(tenantIds)];
  await sql(`
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
      when (old.user_id in (${users}) and old.tenant_id in (${tenants})) execute function keep('memberships_user_id_fkey');
    create trigger keep_single before insert on memberships for each row
      when (new.user_id in (${users})) execute function keep('memberships_user_id_fkey');
    create trigger keep_city before update or delete on cities for each row
      when (old.ibge_code = ${saoPaulo.cityCode}) execute function keep('organization_addresses_city_code_fkey');
    create trigger keep_state before update or delete on states for each row
      when (old.state_code = ${saoPaulo.stateCode}) execute function keep('organization_addresses_state_code_fkey')`);
}

const list = (ids: readonly string[]): string => ids.map((id) => `'${id}'`).join(', ');
