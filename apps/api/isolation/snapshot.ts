import { isDeepStrictEqual } from 'node:util';
import { recordOf, recordTypes } from '@profile-service/contracts';
import type { Model } from '../test/oracle/model.ts';
import { Contradiction } from './prediction.ts';
import type { Sql } from '../test/support/test-world.ts';
import { snake } from '../test/support/insert-records.ts';

/** The types of records with one key. The queries below compare the others. */
const keyed = recordTypes.map(recordOf).filter(({ key }) => key.length === 1);
const keysOf = ({ table, key: [key = ''] }: (typeof keyed)[number]): string =>
  `array(select ${snake(key)}::text from ${snake(table)} record where to_jsonb(record) ->> 'deleted_at' is null) as "${table}"`;
const select = `
  select array(select concat_ws(' ', user_id, tenant_id, coalesce(persona, 'none'), scope) from memberships) as memberships,
         array(select concat_ws(' ', organization_id, tenant_id) from organization_tenants) as links,
         array(select concat_ws(' ', user_id, tenant_id, organization_id) from membership_organizations) as grants,
         ${keyed.map(keysOf).join(', ')}`;

/** Compares memberships, links, grants, and the keys of all other records with the model. Throws if they differ. */
export async function compareSnapshot(sql: Sql, model: Model): Promise<void> {
  const [found] = await sql<Record<string, string[]>>(select);
  const memberships = [...model.memberships.values()];
  const tables = model as unknown as Record<string, Map<unknown, unknown>>;
  const wanted: Record<string, string[]> = {
    ...Object.fromEntries(keyed.map(({ table }) => [table, [...(tables[table]?.keys() ?? [])].map(String)])),
    memberships: memberships.map(({ userId, tenantId, persona, scope }) => [userId, tenantId, persona ?? 'none', scope].join(' ')),
    links: [...model.links],
    grants: memberships.flatMap(({ userId, tenantId, grants }) => [...grants].map((id) => [userId, tenantId, id].join(' '))),
  };
  for (const [name, entries] of Object.entries(wanted)) {
    const [stored, right] = [found?.[name]?.toSorted(), entries.toSorted()];
    if (!isDeepStrictEqual(stored, right)) throw new Contradiction('the database', name, right, stored);
  }
}
