import type pg from 'pg';

/**
 * What a wall would look like. Both are cut to what the measured reads touch, organizations alone: a wall that is built would cost more, not less.
 * Neither lets anything be seen where nothing is set. A sub-select that gives one value is planned once, an `exists` in two ways: it costs twice as much.
 */
export const walls = {
  /** Links, grants and who sees all, as the predicate of `packages/db/src/scope.ts` has them. */
  whole: {
    policy: `
      case current_setting('profile.scope', true)
        when 'all' then true
        when 'tenant' then (
          select true from organization_tenants link
          where link.tenant_id = nullif(current_setting('profile.tenant', true), '')::uuid and link.organization_id = organizations.id)
        when 'restricted' then (
          select true from membership_organizations granted
          where granted.user_id = nullif(current_setting('profile.user', true), '')::uuid
            and granted.tenant_id = nullif(current_setting('profile.tenant', true), '')::uuid
            and granted.organization_id = organizations.id)
        else false
      end`,
    setScope: "select set_config('profile.scope', $1, true), set_config('profile.tenant', $2, true), set_config('profile.user', $3, true)",
    scopeOf: (tenantId: unknown) => ['tenant', tenantId, ''],
  },
  /** The least that keeps tenants apart: links alone; grants are left to the predicate, who sees all comes by another role. */
  links: {
    policy: `
      (select true from organization_tenants link
       where link.tenant_id = nullif(current_setting('profile.tenant', true), '')::uuid and link.organization_id = organizations.id)`,
    setScope: "select set_config('profile.tenant', $1, true)",
    scopeOf: (tenantId: unknown) => [tenantId],
  },
};

export type Wall = keyof typeof walls;

/** Makes the walls, and the roles that stand before them. Throws where a wall does not stand. */
export async function raiseWalls(client: pg.Client): Promise<void> {
  await client.query('alter table organizations enable row level security');
  for (const [role, { policy }] of Object.entries(walls)) {
    await client.query(`create role ${role}`);
    await client.query(`grant select on organizations, organization_tenants, membership_organizations to ${role}`);
    await client.query(`create policy ${role}_wall on organizations to ${role} using (${policy})`);
    await client.query(`set role ${role}`);
    const { rowCount } = await client.query('select from organizations');
    await client.query('reset role');
    if (rowCount !== 0) throw new Error(`${role} sees ${rowCount} organizations without having been given a scope`);
  }
}
