import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Adds the function that records exports in the journal. They have no epoch and no transaction, so they are no events. */
export const exports: Migration = {
  async up(db) {
    await sql`
      create function record_export(
        operation text, actor_kind text, actor_id uuid, request_id text, tenant_id uuid, record_type text, filters jsonb, rows bigint
      ) returns void language sql as $$
        insert into journal (occurred_at, actor_kind, actor_id, request_id, operation, tenant_id, record_type, cascade)
          values (
            clock_timestamp(), actor_kind, actor_id, request_id, operation, tenant_id, record_type,
            jsonb_build_object('rows', rows, 'filters', filters)
          );
      $$;
    `.execute(db);
  },
};
