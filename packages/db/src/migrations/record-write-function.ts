import { sql } from 'kysely';

/**
 * `record_write`, the function that adds a row to the journal for what a transaction has changed, and its helpers. PL/pgSQL prepares each expression once per
 * transaction, which takes longer than evaluating it: few expressions matter more than short ones. A statement takes longer than ten of them.
 */
export const recordWriteFunction = sql`
  -- The former values of the fields that an update has changed.
  create or replace function former_values(before jsonb, after jsonb) returns jsonb language plpgsql immutable parallel safe as $$
    begin
      return (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(before) where key <> 'updated_at' and value <> after -> key);
    end
  $$;

  -- A change beside the main one, reduced to the fields that differ. An updated row names its organization: changes of a shared record change rows of several
  -- tenants.
  create or replace function related_change(type text, id text, before jsonb, after jsonb) returns jsonb language plpgsql as $$
    declare
      former constant jsonb := case when before is null or after is null then before - 'updated_at' else former_values(before, after) end;
    begin
      return jsonb_build_object(
        'type', type, 'id', id, 'before', without_large_values(former),
        'after', without_large_values(case when before is null then after - 'updated_at' else values_of(former, after) end)
      ) || case
        when before is not null and after ? 'organization_id' then jsonb_build_object('organizationId', after -> 'organization_id') else '{}'
      end;
    end
  $$;

  -- Adds a number to the one of the type.
  create or replace function add_count(counts jsonb, type text, total bigint) returns jsonb language sql immutable parallel safe
    return case
      when total = 0 then counts else coalesce(counts, '{}') || jsonb_build_object(type, coalesce((counts ->> type)::bigint, 0) + total)
    end;

  -- Adds the numbers of the rows that a soft-deleted user or organization hides.
  create or replace function add_hidden_rows(counts jsonb, type text, deleted_id uuid) returns jsonb language plpgsql as $$
    begin
      if type = 'user' then
        return add_count(counts, 'membership', (select count(*) from memberships where user_id = deleted_id));
      end if;
      counts := add_count(counts, 'organizationAddress', (select count(*) from organization_addresses where organization_id = deleted_id));
      counts := add_count(counts, 'organizationContact', (select count(*) from organization_contacts where organization_id = deleted_id));
      return add_count(counts, 'attachment', (select count(*) from attachments where entity_id = deleted_id and deleted_at is null));
    end
  $$;

  -- The highest transaction id in the positions of the record's events; null without one. A transaction with a higher id than the current one has written its
  -- events after the start of the current one: an hour of them is enough, whatever happens to the clock. The last 10 have the highest position of all.
  -- The settings keep PostgreSQL from planning for an empty table, and from planning again and again.
  create or replace function previous_event_transaction_id(current_epoch bigint, changed_record_id text) returns xid8
    language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
    begin
      return (
        select transaction_id from (
          select epoch, transaction_id from journal
          where record_id = changed_record_id and occurred_at > now() - interval '1 hour' and transaction_id is not null
          order by occurred_at desc limit 10
        ) as previous
        where epoch = current_epoch order by transaction_id desc limit 1
      );
    end
  $$;

  -- Records what the transaction has changed: one row of the journal, about the first captured change whose event type is in the list.
  -- main_id decides between several records of that type. Does nothing if nothing has changed.
  create or replace function record_write(
    operation text, actor_kind text, actor_id uuid, request_id text, active_tenant_id uuid, event_types text[], main_id text
  ) returns void language plpgsql as $$
    declare
      captured constant text := current_setting('profile.changes', true);
      elements jsonb;
      is_single boolean;
      element jsonb;
      fields jsonb;
      -- Of several changes, one item for each changed record: type and id, event type, its first and its last state, and how many rows it stands for.
      records text[];
      ids text[];
      types text[];
      events text[];
      befores jsonb[];
      afters jsonb[];
      rows bigint[];
      total integer := 0;
      place integer;
      main integer;
      main_type text;
      main_event text;
      main_record_id text;
      former jsonb;
      state jsonb;
      related jsonb;
      cascade jsonb;
      uncaptured record;
      event_epoch bigint;
      organization uuid;
    begin
      if captured is null or captured = '' then
        return;
      end if;
      elements := ('[' || captured || ']')::jsonb;
      is_single := jsonb_array_length(elements) = 1;
      for index in 0 .. jsonb_array_length(elements) - 1 loop
        element := elements -> index;
        former := (element -> 'before') - (element ->> 'hidden')::text[];
        state := (element -> 'after') - (element ->> 'hidden')::text[];
        -- Setting deleted_at is a deletion. Later changes of the row are not shown.
        if element -> 'after' ->> 'deleted_at' is not null then
          continue when former is null or element -> 'before' ->> 'deleted_at' is not null;
          state := null;
        end if;
        fields := coalesce(state, former);
        main_type := element ->> 'type';
        main_record_id := fields ->> (element ->> 'key') || coalesce(':' || (fields ->> (element ->> 'key2')), '');
        main_event := main_type || case when former is null then '.created' when state is null then '.deleted' else '.updated' end;
        continue when is_single;
        place := array_position(records, main_type || ' ' || main_record_id);
        if place is null then
          total := total + 1;
          place := total;
          records[place] := main_type || ' ' || main_record_id;
          types[place] := main_type;
          ids[place] := main_record_id;
          rows[place] := element -> 'rows';
        else
          -- From the first state to the last. A change of an organization scope has only some of the fields.
          former := case when befores[place] is not null then coalesce(former, '{}') || befores[place] end;
          state := case when state is not null then coalesce(afters[place], '{}') || state end;
        end if;
        befores[place] := former;
        afters[place] := state;
        events[place] := main_type || case when former is null then '.created' when state is null then '.deleted' else '.updated' end;
      end loop;
      if main_event is null then
        return;
      end if;

      if not is_single or main_event <> all (event_types) then
        for precedence in 1 .. cardinality(event_types) loop
          main := array_position(events, event_types[precedence]);
          exit when main is not null;
        end loop;
        if main is null then
          raise exception 'The operation % has changed records, but none that its events are about', operation;
        end if;
        place := array_position(records, types[main] || ' ' || main_id);
        if events[place] = events[main] then
          main := place;
        end if;
        main_type := types[main];
        main_record_id := ids[main];
        former := befores[main];
        state := afters[main];
        fields := coalesce(state, former);
      end if;

      if total > 1 then
        for other in 1 .. total loop
          continue when other = main;
          if state is null and (afters[other] is null or types[other] = 'organizationScope') then
            -- A deletion counts the other rows that it has deleted, and the grants.
            cascade := add_count(cascade, types[other], coalesce(rows[other], 1));
          elsif befores[other] is null and octet_length(captured) <= 8192 then
            -- As related_change does, but faster.
            related := coalesce(related, '[]') || jsonb_build_object(
              'type', types[other], 'id', ids[other], 'before', null, 'after', afters[other] - 'updated_at'
            );
          else
            related := coalesce(related, '[]') || related_change(types[other], ids[other], befores[other], afters[other]);
          end if;
        end loop;
        if octet_length(captured) > 8192 then
          for uncaptured in select * from jsonb_each_text(nullif(current_setting('profile.uncaptured', true), '')::jsonb) loop
            cascade := add_count(cascade, uncaptured.key, uncaptured.value::bigint);
          end loop;
        end if;
      end if;
      if former is not null and state is not null then
        former := former_values(former, state);
      elsif state is null and main_type in ('user', 'organization') then
        cascade := add_hidden_rows(cascade, main_type, main_record_id::uuid);
      end if;
      if main_type = 'organizationScope' then
        state := state || (
          select jsonb_build_object('scope', memberships.scope) from memberships
          where user_id = split_part(main_record_id, ':', 1)::uuid and tenant_id = split_part(main_record_id, ':', 2)::uuid
        );
      end if;
      -- A statement of its own: other writes need no lock of the table.
      if main_type = 'attachment' then
        organization := (select id from organizations where id = (fields ->> 'entity_id')::uuid);
      elsif main_type = 'organization' then
        organization := main_record_id::uuid;
      else
        organization := (fields ->> 'organization_id')::uuid;
      end if;
      event_epoch := nullif(current_setting('profile.event_epoch', true), '');
      if event_epoch is null then
        event_epoch := current_event_epoch();
      end if;

      insert into journal (
        id, occurred_at, actor_kind, actor_id, request_id, operation, tenant_id, organization_id, record_type, record_id,
        former, state, related, cascade, epoch, transaction_id, sequence
      ) values (
        gen_random_uuid(), clock_timestamp(), actor_kind, actor_id, request_id, operation,
        case
          when main_type in ('organizationScope', 'membership', 'organizationLink') then split_part(main_record_id, ':', 2)::uuid
          when main_type = 'tenant' then main_record_id::uuid
          -- Null for a webhook of all tenants.
          when main_type = 'webhook' then (fields ->> 'tenant_id')::uuid
          else active_tenant_id
        end,
        organization,
        main_type, main_record_id, former, state, related, cascade, event_epoch,
        greatest(
          pg_current_xact_id(),
          -- Another transaction with a higher id may have changed the record before. The other records have new ids, and therefore no previous event.
          case when pg_snapshot_xmax(pg_current_snapshot()) > pg_current_xact_id()
            and (former is not null or main_type in ('membership', 'organizationLink', 'state', 'city'))
            then previous_event_transaction_id(event_epoch, main_record_id)
          end
        ),
        nextval('journal_sequence')
      );
    end
  $$;
`;
