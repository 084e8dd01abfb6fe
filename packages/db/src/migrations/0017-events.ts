import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The outbox: one event for each committed write, and the function that records a write. The position of an event is (epoch, transaction_id, sequence).
 * A reader takes only events of transactions below `pg_snapshot_xmin`: an older transaction that still runs may commit events with lower positions.
 */
export const events: Migration = {
  async up(db) {
    await sql`
      -- Transaction ids start again when the database is restored into another cluster, or at an earlier time. Each epoch has its own positions.
      create table event_epochs (
        -- Milliseconds since 1970 at its start.
        epoch             bigint primary key,
        system_identifier bigint not null,
        timeline          text not null
      );

      -- Returns the epoch, and keeps it in the session's setting profile.event_epoch: a restore ends all sessions.
      create function current_event_epoch() returns bigint language plpgsql as $$
        declare
          cluster bigint := 0;
          -- A promoted standby and a recovery to a point in time start a new timeline.
          line text;
          latest event_epochs;
        begin
          perform pg_advisory_xact_lock(hashtextextended('current_event_epoch', 0));
          begin
            cluster := (select control.system_identifier from pg_control_system() as control);
          exception when insufficient_privilege then
            -- Then only the timeline shows a restore.
          end;
          line := left(pg_walfile_name(pg_current_wal_lsn()), 8);
          select * into latest from event_epochs order by epoch desc limit 1;
          if latest.epoch is null or (latest.system_identifier, latest.timeline) <> (cluster, line) then
            insert into event_epochs (epoch, system_identifier, timeline)
              values (greatest(extract(epoch from clock_timestamp()) * 1000, latest.epoch + 1), cluster, line)
              returning * into latest;
          end if;
          perform set_config('profile.event_epoch', latest.epoch::text, false);
          return latest.epoch;
        end
      $$;

      create table events (
        epoch           bigint not null,
        -- The id of the transaction that wrote the event, or of the previous event of the record if that is higher: so positions keep the order of a record.
        transaction_id  xid8 not null,
        sequence        bigint generated always as identity,
        id              uuid not null,
        type            text not null,
        occurred_at     timestamptz(3) not null,
        actor_kind      text not null,
        actor_id        uuid,
        request_id      text,
        tenant_id       uuid,
        organization_id uuid,
        record_type     text not null,
        record_id       text not null,
        changed         text[] not null,
        data            jsonb not null,
        constraint events_pkey primary key (epoch, transaction_id, sequence)
      );
      create index events_record_idx on events (record_id, sequence);

      -- Returns the captured changes as one change for each record: from its first state to its last.
      create function captured_changes() returns jsonb[] language plpgsql as $$
        declare
          change jsonb;
          changes jsonb[] := '{}';
          place integer;
        begin
          for change in select * from jsonb_array_elements(('[' || current_setting('profile.changes', true) || ']')::jsonb) loop
            place := null;
            for other in 1 .. cardinality(changes) loop
              if changes[other] ->> 'id' = change ->> 'id' and changes[other] ->> 'type' = change ->> 'type' then
                place := other;
              end if;
            end loop;
            if place is null then
              changes := changes || change;
            elsif change ->> 'operation' = 'deleted' then
              changes[place] := change || jsonb_build_object('before', changes[place] -> 'before');
            else
              -- A change of an organization scope has only some of its fields.
              changes[place] := changes[place] || jsonb_build_object('after', (changes[place] -> 'after') || (change -> 'after'));
              if changes[place] ->> 'operation' = 'updated' then
                changes[place] := changes[place] || jsonb_build_object('before', (change -> 'before') || (changes[place] -> 'before'));
              end if;
            end if;
          end loop;
          return changes;
        end
      $$;

      -- Reduces the states of a change to the fields that differ.
      create function changed_fields(change jsonb) returns jsonb language plpgsql as $$
        declare
          fields_before jsonb := nullif(change -> 'before', 'null') - 'updatedAt';
          fields_after jsonb := nullif(change -> 'after', 'null') - 'updatedAt';
        begin
          if change ->> 'operation' = 'updated' then
            select coalesce(jsonb_object_agg(key, value), '{}'), coalesce(jsonb_object_agg(key, change -> 'after' -> key), '{}')
              into fields_before, fields_after
              from jsonb_each(fields_before) where value <> change -> 'after' -> key;
          end if;
          return jsonb_build_object(
            'type', change -> 'type', 'id', change -> 'id', 'before', without_large_values(fields_before), 'after', without_large_values(fields_after)
          );
        end
      $$;

      -- The transaction id in the position of the record's last event in the epoch; null without one.
      -- The settings keep PostgreSQL from planning for an empty table, and from planning again and again.
      create function previous_event_transaction_id(current_epoch bigint, changed_record_id text) returns xid8
        language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
        begin
          return (
            select case previous.epoch when current_epoch then previous.transaction_id end
            from events as previous where previous.record_id = changed_record_id order by previous.sequence desc limit 1
          );
        end
      $$;

      -- Records what the transaction has changed: one audit entry and one event, about the first captured change whose event type is in the list.
      -- Both get the same id. main_id decides between several records of that type. Does nothing if nothing has changed.
      create function record_write(
        operation text, actor_kind text, actor_id uuid, request_id text, active_tenant_id uuid, event_types text[], main_id text
      ) returns void language plpgsql as $$
        declare
          captured constant text := current_setting('profile.changes', true);
          -- Null after a single change.
          counts constant jsonb := nullif(current_setting('profile.change_counts', true), '');
          changes jsonb[];
          change jsonb;
          counted record;
          main jsonb;
          main_type text;
          main_record_id text;
          main_operation text;
          event_type text;
          fields jsonb;
          entry_id uuid;
          written_at timestamptz(3);
          entry_tenant_id uuid := active_tenant_id;
          entry_organization_id uuid;
          fields_before jsonb;
          fields_after jsonb;
          related jsonb := '[]'::jsonb;
          cascade jsonb := '{}'::jsonb;
          event_epoch bigint;
          transaction_id xid8;
          data jsonb;
        begin
          if coalesce(captured, '') = '' then
            return;
          end if;
          if counts is null then
            main := captured;
            event_type := (main ->> 'type') || '.' || (main ->> 'operation');
            if event_type <> all (event_types) then
              main := null;
            end if;
          else
            foreach event_type in array event_types loop
              exit when counts ? event_type;
            end loop;
            changes := captured_changes();
            foreach change in array changes loop
              if (change ->> 'type') || '.' || (change ->> 'operation') = event_type and (main is null or change ->> 'id' = main_id) then
                main := change;
              end if;
            end loop;
          end if;
          if main is null then
            raise exception 'The operation % has changed records, but none that its events are about', operation;
          end if;

          main_type := main ->> 'type';
          main_record_id := main ->> 'id';
          main_operation := main ->> 'operation';
          fields_before := nullif(main -> 'before', 'null');
          fields_after := nullif(main -> 'after', 'null');
          data := case main_operation when 'deleted' then fields_before else fields_after end;
          if main_operation = 'updated' or octet_length(captured) > 8192 then
            fields := changed_fields(main);
            fields_before := nullif(fields -> 'before', 'null');
            fields_after := nullif(fields -> 'after', 'null');
          else
            -- As changed_fields does, but faster.
            fields_before := fields_before - 'updatedAt';
            fields_after := fields_after - 'updatedAt';
          end if;

          if counts is not null then
            -- A deletion counts the other rows that it has deleted, and the grants.
            foreach change in array changes loop
              if change <> main and not (main_operation = 'deleted' and (change ->> 'operation' = 'deleted' or change ->> 'type' = 'organizationScope')) then
                related := related || changed_fields(change);
              end if;
            end loop;
            for counted in
              select split_part(key, '.', 1) as type, split_part(key, '.', 2) as operation, value::bigint as total
              from jsonb_each_text(counts)
            loop
              if counted.type || '.' || counted.operation = event_type then
                counted.total := counted.total - 1;
              end if;
              if not (main_operation = 'deleted' and counted.operation = 'deleted') then
                -- The first 100 are in related.
                counted.total := counted.total - 100;
              end if;
              if counted.total > 0 and not (counted.type = 'organizationScope' and (counted.operation = 'deleted') <> (main_operation = 'deleted')) then
                cascade := cascade || jsonb_build_object(counted.type, coalesce((cascade ->> counted.type)::bigint, 0) + counted.total);
              end if;
            end loop;
          end if;

          if main_type in ('organizationScope', 'membership', 'organizationLink') then
            entry_tenant_id := split_part(main_record_id, ':', 2);
          elsif main_type = 'tenant' then
            entry_tenant_id := main_record_id;
          end if;
          if main_type = 'organization' then
            entry_organization_id := main_record_id;
          elsif main_type = 'attachment' then
            entry_organization_id := (select id from organizations where id = (data ->> 'entityId')::uuid);
          else
            entry_organization_id := data ->> 'organizationId';
          end if;

          entry_id := gen_random_uuid();
          written_at := clock_timestamp();
          insert into audit_entries (
            id, occurred_at, outcome, actor_kind, actor_id, request_id, operation, tenant_id, organization_id, record_type, record_id,
            before, after, related, cascade
          ) values (
            entry_id, written_at, 'COMMITTED', actor_kind, actor_id, request_id, operation, entry_tenant_id, entry_organization_id, main_type, main_record_id,
            fields_before, fields_after, related, cascade
          );

          if main_type = 'organizationScope' then
            data := (
              select jsonb_build_object(
                'userId', membership.user_id, 'tenantId', membership.tenant_id, 'scope', membership.scope,
                'added', coalesce(main -> 'after' -> 'organizationIds', '[]'), 'removed', coalesce(main -> 'before' -> 'organizationIds', '[]')
              ) from memberships as membership
              where membership.user_id = split_part(main_record_id, ':', 1)::uuid and membership.tenant_id = entry_tenant_id
            );
          end if;
          event_epoch := nullif(current_setting('profile.event_epoch', true), '');
          if event_epoch is null then
            event_epoch := current_event_epoch();
          end if;
          transaction_id := pg_current_xact_id();
          -- The other records have new ids, and therefore no previous event.
          if main_operation <> 'created' or main_type in ('membership', 'organizationLink', 'state', 'city') then
            transaction_id := greatest(transaction_id, previous_event_transaction_id(event_epoch, main_record_id));
          end if;
          insert into events (
            epoch, transaction_id, id, type, occurred_at, actor_kind, actor_id, request_id, tenant_id, organization_id, record_type, record_id,
            changed, data
          ) values (
            event_epoch, transaction_id, entry_id, event_type, written_at, actor_kind, actor_id, request_id, entry_tenant_id, entry_organization_id,
            main_type, main_record_id,
            array(
              select key from jsonb_object_keys(
                case main_operation when 'updated' then fields_after else jsonb_strip_nulls(coalesce(fields_after, fields_before)) end
              ) as key order by key
            ),
            data
          );
        end
      $$;

      -- Records a load of the geography. It has no main record, and therefore no event.
      create function record_geography_load(states integer, cities integer) returns void language sql as $$
        insert into audit_entries (occurred_at, outcome, actor_kind, operation, cascade)
          values (clock_timestamp(), 'COMMITTED', 'SYSTEM', 'geography.load', jsonb_build_object('state', states, 'city', cities));
      $$;
    `.execute(db);
  },
};
