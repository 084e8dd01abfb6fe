import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The audit log. Entries cannot be changed. The table is partitioned by month, so that old entries are removed by dropping a partition. Without a default
 * partition, an entry outside all partitions fails, and its write with it: a default partition would make adding partitions slow.
 */
export const auditEntries: Migration = {
  async up(db) {
    await sql`
      create table audit_entries (
        id              uuid not null default gen_random_uuid(),
        occurred_at     timestamptz(3) not null,
        -- COMMITTED or REFUSED. PostgreSQL would parse a check constraint again for every entry.
        outcome         text not null,
        code            text,
        -- USER, APPLICATION or SYSTEM.
        actor_kind      text not null,
        actor_id        uuid,
        request_id      text,
        operation       text not null,
        tenant_id       uuid,
        organization_id uuid,
        record_type     text,
        record_id       text,
        -- The changed fields of the record: null before a creation and after a deletion.
        before          jsonb,
        after           jsonb,
        -- Other changed rows: [{ type, id, before, after }].
        related         jsonb not null default '[]',
        cascade         jsonb not null default '{}',
        constraint audit_entries_pkey primary key (occurred_at, id)
      ) partition by range (occurred_at);
      create index audit_entries_tenant_idx on audit_entries (tenant_id, occurred_at, id);
      create index audit_entries_organization_idx on audit_entries (organization_id, occurred_at, id);
      create index audit_entries_actor_idx on audit_entries (actor_id, occurred_at, id);
      create index audit_entries_record_idx on audit_entries (record_id, occurred_at, id);
      create index audit_entries_refused_idx on audit_entries (occurred_at, id) where outcome = 'REFUSED';

      create function refuse_change() returns trigger language plpgsql as $$
        begin
          raise exception 'Audit entries cannot be changed' using errcode = 'insufficient_privilege';
        end
      $$;
      -- Partitions inherit row triggers.
      create trigger refuse_update_delete before update or delete on audit_entries for each row execute function refuse_change();
      create trigger refuse_truncate before truncate on audit_entries for each statement execute function refuse_change();

      -- Creates the missing partitions from the current month to that many months ahead. Attaching a table does not block writers, unlike "partition of".
      create function create_audit_partitions(months_ahead integer) returns void language plpgsql as $$
        declare
          month_start timestamptz;
          partition text;
        begin
          perform pg_advisory_xact_lock(hashtextextended('create_audit_partitions', 0));
          for step in 0 .. months_ahead loop
            month_start := (date_trunc('month', now() at time zone 'UTC') + make_interval(months => step)) at time zone 'UTC';
            partition := 'audit_entries_' || to_char(month_start at time zone 'UTC', 'YYYY_MM');
            if to_regclass(partition) is null then
              execute format('create table %I (like audit_entries including all)', partition);
              execute format('create trigger refuse_truncate before truncate on %I for each statement execute function refuse_change()', partition);
              execute format(
                'alter table audit_entries attach partition %I for values from (%L) to (%L)',
                partition, month_start, (month_start at time zone 'UTC' + interval '1 month') at time zone 'UTC'
              );
            end if;
          end loop;
        end
      $$;
      select create_audit_partitions(3);

      -- Removes the values of more than 8 KiB of JSON text.
      create function without_large_values(fields jsonb) returns jsonb language plpgsql immutable as $$
        begin
          if fields is null or octet_length(fields::text) <= 8192 then
            return fields;
          end if;
          return (
            select jsonb_object_agg(key, case when octet_length(value::text) > 8192 then jsonb_build_object('omitted', octet_length(value::text)) else value end)
            from jsonb_each(fields)
          );
        end
      $$;

      -- Records a 403. An actor has at most 10 such entries per minute.
      create function record_refusal(
        operation text, code text, actor_kind text, actor_id uuid, request_id text, tenant_id uuid, record_type text, record_id text
      ) returns void language plpgsql as $$
        begin
          perform pg_advisory_xact_lock(hashtextextended('record_refusal ' || record_refusal.actor_id, 0));
          if (
            select count(*) < 10 from audit_entries as entry
            where entry.actor_id = record_refusal.actor_id and entry.outcome = 'REFUSED' and entry.occurred_at > clock_timestamp() - interval '1 minute'
          ) then
            insert into audit_entries (occurred_at, outcome, code, actor_kind, actor_id, request_id, operation, tenant_id, record_type, record_id)
              values (clock_timestamp(), 'REFUSED', code, actor_kind, actor_id, request_id, operation, tenant_id, record_type, record_id);
          end if;
        end
      $$;
    `.execute(db);
  },
};
