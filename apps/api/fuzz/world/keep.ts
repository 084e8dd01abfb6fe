import type pg from 'pg';
import type { People } from './people.ts';

/**
 * The callers and their tenants stay what they are, whoever deletes or changes them: without them nothing would be allowed any more. Who changes
 * such a record is told that there is none, as the foreign keys of memberships tell it; a new persona or scope of theirs is not taken down.
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
      if tg_op = 'UPDATE' and tg_table_name = 'memberships' then return null; end if;
      raise foreign_key_violation using constraint = tg_argv[0];
    end $$;
    create trigger keep_users before update on users for each row
      when (old.id in (${users})) execute function keep('memberships_user_id_fkey');
    create trigger keep_tenants before update or delete on tenants for each row
      when (old.id in (${tenants})) execute function keep('memberships_tenant_id_fkey');
    create trigger keep_memberships before update or delete on memberships for each row
      when (old.user_id in (${users}) and old.tenant_id = ${list([tenantId])}) execute function keep('memberships_user_id_fkey')`);
}

const list = (ids: readonly string[]): string => ids.map((id) => `'${id}'`).join(', ');
