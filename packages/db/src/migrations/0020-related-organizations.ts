import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Related rows of an audit entry name their organization, because a change of a shared record, such as a city, changes rows of several tenants. A created or a
 * deleted row has it among its values. In older entries, an updated row without it belongs to the organization of the entry, or is hidden from all but Global
 * users.
 */
export const relatedOrganizations: Migration = {
  async up(db) {
    await sql`
      -- Reduces the states of a change to the fields that differ.
      create or replace function changed_fields(change jsonb) returns jsonb language plpgsql as $$
        declare
          fields_before jsonb := nullif(change -> 'before', 'null') - 'updatedAt';
          fields_after jsonb := nullif(change -> 'after', 'null') - 'updatedAt';
          organization_id jsonb;
        begin
          if change ->> 'operation' = 'updated' then
            organization_id := change -> 'after' -> 'organizationId';
            select coalesce(jsonb_object_agg(key, value), '{}'), coalesce(jsonb_object_agg(key, change -> 'after' -> key), '{}')
              into fields_before, fields_after
              from jsonb_each(fields_before) where value <> change -> 'after' -> key;
          end if;
          return jsonb_build_object(
            'type', change -> 'type', 'id', change -> 'id', 'before', without_large_values(fields_before), 'after', without_large_values(fields_after)
          ) || case when organization_id is null then '{}' else jsonb_build_object('organizationId', organization_id) end;
        end
      $$;
    `.execute(db);
  },
};
