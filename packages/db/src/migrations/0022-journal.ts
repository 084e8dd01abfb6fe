import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { journalViews } from './journal-views.ts';

/**
 * One journal instead of the tables `audit_entries` and `events`. A row has the state of the record after the change, the former values of the changed fields,
 * and the position of the event. The views `audit_entries` and `events` read it: an audit entry shows the difference, an event the state.
 *
 * The table of the audit entries becomes the journal, so that only the entries that still have an event are written again.
 */
export const journal: Migration = {
  async up(db) {
    await sql`
      alter table audit_entries rename to journal;
      do $$
        declare
          partition text;
          renamed text;
        begin
          for partition in
            select relname from pg_class where relkind = 'r' and relname ~ '^audit_entries_[0-9]{4}_[0-9]{2}$'
              and relnamespace = (select relnamespace from pg_class where oid = 'journal'::regclass)
          loop
            execute format('alter table %I rename to %I', partition, replace(partition, 'audit_entries', 'journal'));
          end loop;
          -- PostgreSQL 18 names the constraints of columns that are not null.
          for renamed in select conname from pg_constraint where conrelid = 'journal'::regclass and conname like 'audit_entries%not_null' loop
            execute format('alter table journal rename constraint %I to %I', renamed, replace(renamed, 'audit_entries', 'journal'));
          end loop;
        end
      $$;

      -- Null before a creation. Of an updated record, the changed fields. Keys of older rows are those of the contract instead of columns.
      alter table journal rename column before to former;
      -- Null after a deletion. Rows without an event have the changed fields only.
      alter table journal rename column after to state;
      alter table journal
        -- A refusal has a code.
        drop column outcome,
        alter column related drop not null, alter column related drop default,
        alter column cascade drop not null, alter column cascade drop default,
        -- The position of the event: see 0017. Null for a refusal and for a load of the geography.
        add column epoch bigint,
        add column transaction_id xid8,
        add column sequence bigint;

      drop index audit_entries_tenant_idx, audit_entries_organization_idx, audit_entries_actor_idx, audit_entries_record_idx;
      alter table journal disable trigger refuse_update_delete;
      update journal set
        epoch = event.epoch, transaction_id = event.transaction_id, sequence = event.sequence,
        state = case
          when journal.state is null then null
          when event.record_type = 'organizationScope' then event.data - '{added,removed}'::text[] || journal.state
          else event.data
        end,
        former = case when journal.state is null then event.data else journal.former end
        from events as event where event.occurred_at = journal.occurred_at and event.id = journal.id;
      alter table journal enable trigger refuse_update_delete;

      create sequence journal_sequence;
      select setval('journal_sequence', max(sequence)) from events having max(sequence) is not null;
      drop table events;

      alter index audit_entries_pkey rename to journal_pkey;
      create index journal_tenant_idx on journal (tenant_id, occurred_at);
      create index journal_organization_idx on journal (organization_id, occurred_at);
      create index journal_actor_idx on journal (actor_id, occurred_at);
      create index journal_record_idx on journal (record_id, occurred_at);
      create index journal_position_idx on journal (epoch, transaction_id, sequence) where transaction_id is not null;
      -- The condition is the expression of the view.
      create index journal_refused_idx on journal (occurred_at, id) where case when code is null then 'COMMITTED' else 'REFUSED' end = 'REFUSED';

      create or replace function create_audit_partitions(months_ahead integer) returns void language plpgsql as $$
        declare
          month_start timestamptz;
          partition text;
        begin
          perform pg_advisory_xact_lock(hashtextextended('create_audit_partitions', 0));
          for step in 0 .. months_ahead loop
            month_start := (date_trunc('month', now() at time zone 'UTC') + make_interval(months => step)) at time zone 'UTC';
            partition := 'journal_' || to_char(month_start at time zone 'UTC', 'YYYY_MM');
            if to_regclass(partition) is null then
              execute format('create table %I (like journal including all)', partition);
              execute format('create trigger refuse_truncate before truncate on %I for each statement execute function refuse_change()', partition);
              execute format(
                'alter table journal attach partition %I for values from (%L) to (%L)',
                partition, month_start, (month_start at time zone 'UTC' + interval '1 month') at time zone 'UTC'
              );
            end if;
          end loop;
        end
      $$;

      create or replace function record_refusal(
        operation text, code text, actor_kind text, actor_id uuid, request_id text, tenant_id uuid, record_type text, record_id text
      ) returns void language plpgsql as $$
        begin
          perform pg_advisory_xact_lock(hashtextextended('record_refusal ' || record_refusal.actor_id, 0));
          if (
            select count(*) < 10 from journal as entry
            where entry.actor_id = record_refusal.actor_id and entry.code is not null and entry.occurred_at > clock_timestamp() - interval '1 minute'
          ) then
            insert into journal (occurred_at, code, actor_kind, actor_id, request_id, operation, tenant_id, record_type, record_id)
              values (clock_timestamp(), code, actor_kind, actor_id, request_id, operation, tenant_id, record_type, record_id);
          end if;
        end
      $$;

      create or replace function record_geography_load(states integer, cities integer) returns void language sql as $$
        insert into journal (occurred_at, actor_kind, operation, cascade)
          values (clock_timestamp(), 'SYSTEM', 'geography.load', jsonb_build_object('state', states, 'city', cities));
      $$;
    `.execute(db);
    await journalViews.execute(db);
  },
};
