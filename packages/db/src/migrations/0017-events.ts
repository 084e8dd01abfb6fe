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

      create function current_event_epoch() returns bigint language plpgsql as $$
        declare
          -- A restore ends all sessions, so a session can keep the epoch.
          known constant text := current_setting('profile.event_epoch', true);
          cluster bigint := 0;
          -- A promoted standby and a recovery to a point in time start a new timeline.
          line text;
          latest event_epochs;
        begin
          if known <> '' then
            return known::bigint;
          end if;
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

      -- Records what the transaction has changed: one audit entry and one event, about the first captured change whose event type is in the list.
      -- Both get the same id. main_id decides between several records of that type. Does nothing if nothing has changed.
      -- The settings keep PostgreSQL from planning for an empty table, and from planning again and again.
      create function record_write(
        entry_id uuid, operation text, actor_kind text, actor_id uuid, request_id text, active_tenant_id uuid, event_types text[], main_id text
      ) returns void language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
        declare
          captured constant text := current_setting('profile.changes', true);
          counts jsonb;
          changes jsonb[];
          change jsonb;
          main jsonb;
          main_type text;
          event_type text;
          is_single boolean;
          is_deletion boolean;
          fields jsonb;
          data jsonb;
          related jsonb := '[]';
          cascade jsonb := '{}';
          counted record;
          written_at constant timestamptz(3) := clock_timestamp();
          entry_tenant_id uuid := active_tenant_id;
          entry_organization_id uuid;
        begin
          if coalesce(captured, '') = '' then
            return;
          end if;
          counts := current_setting('profile.change_counts', true);
          foreach event_type in array event_types loop
            exit when counts ? event_type;
          end loop;
          is_single := counts = jsonb_build_object(event_type, 1);
          if is_single then
            main := captured;
          else
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
          is_deletion := main ->> 'operation' = 'deleted';
          fields := changed_fields(main);
          data := case when is_deletion then main -> 'before' else main -> 'after' end;

          if not is_single then
            -- A deletion counts the other rows that it has deleted, and the grants.
            foreach change in array changes loop
              if change <> main and not (is_deletion and (change ->> 'operation' = 'deleted' or change ->> 'type' = 'organizationScope')) then
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
              if not (is_deletion and counted.operation = 'deleted') then
                -- The first 100 are in related.
                counted.total := counted.total - 100;
              end if;
              if counted.total > 0 and not (counted.type = 'organizationScope' and (counted.operation = 'deleted') <> is_deletion) then
                cascade := cascade || jsonb_build_object(counted.type, coalesce((cascade ->> counted.type)::bigint, 0) + counted.total);
              end if;
            end loop;
          end if;

          if main_type in ('organizationScope', 'membership', 'organizationLink') then
            entry_tenant_id := split_part(main ->> 'id', ':', 2);
          elsif main_type = 'tenant' then
            entry_tenant_id := main ->> 'id';
          end if;
          if main_type = 'organization' then
            entry_organization_id := main ->> 'id';
          elsif main_type = 'attachment' then
            entry_organization_id := (select id from organizations where id = (data ->> 'entityId')::uuid);
          else
            entry_organization_id := data ->> 'organizationId';
          end if;

          insert into audit_entries (
            id, occurred_at, outcome, actor_kind, actor_id, request_id, operation, tenant_id, organization_id, record_type, record_id,
            before, after, related, cascade
          ) values (
            entry_id, written_at, 'COMMITTED', actor_kind, actor_id, request_id, operation, entry_tenant_id, entry_organization_id, main_type, main ->> 'id',
            nullif(fields -> 'before', 'null'), nullif(fields -> 'after', 'null'), related, cascade
          );

          if main_type = 'organizationScope' then
            data := (
              select jsonb_build_object(
                'userId', membership.user_id, 'tenantId', membership.tenant_id, 'scope', membership.scope,
                'added', coalesce(main -> 'after' -> 'organizationIds', '[]'), 'removed', coalesce(main -> 'before' -> 'organizationIds', '[]')
              ) from memberships as membership
              where membership.user_id = split_part(main ->> 'id', ':', 1)::uuid and membership.tenant_id = entry_tenant_id
            );
          end if;
          insert into events (
            epoch, transaction_id, id, type, occurred_at, actor_kind, actor_id, request_id, tenant_id, organization_id, record_type, record_id,
            changed, data
          )
          select epoch,
            case
              -- The other records have new ids.
              when main ->> 'operation' = 'created' and main_type not in ('membership', 'organizationLink', 'state', 'city') then pg_current_xact_id()
              else greatest(pg_current_xact_id(), (
                select case previous.epoch when current.epoch then previous.transaction_id end
                from events as previous where previous.record_id = main ->> 'id' order by previous.sequence desc limit 1
              ))
            end,
            entry_id, event_type, written_at, actor_kind, actor_id, request_id, entry_tenant_id, entry_organization_id, main_type, main ->> 'id',
            array(
              select key from jsonb_each(coalesce(nullif(fields -> 'after', 'null'), fields -> 'before'))
              where main ->> 'operation' = 'updated' or value <> 'null' order by key
            ),
            data
          from current_event_epoch() as current (epoch);
        end
      $$;

      -- Records a load of the geography. It has no main record, and therefore no event.
      create function record_geography_load(entry_id uuid, states integer, cities integer) returns void language sql as $$
        insert into audit_entries (id, occurred_at, outcome, actor_kind, operation, cascade)
          values (entry_id, clock_timestamp(), 'COMMITTED', 'SYSTEM', 'geography.load', jsonb_build_object('state', states, 'city', cities));
      $$;
    `.execute(db);
  },
};
