import { sql } from 'kysely';

/**
 * The views `audit_entries` and `events` of the journal, with the names of the contract. The version before the journal reads them too. PostgreSQL plans the
 * query of a PL/pgSQL function once per session, that of an SQL function for each statement.
 */
export const journalViews = sql`
  -- Renames columns to fields of the contract. Columns of timestamps end with _at, _from or _to.
  create function contract_fields(fields jsonb) returns jsonb language plpgsql stable strict parallel safe as $$
    begin
      return (
      select coalesce(jsonb_object_agg(
        case when strpos(key, '_') > 0 then left(key, 1) || substr(replace(initcap(key), '_', ''), 2) else key end,
        case
          when key ~ '_(at|from|to)$' and jsonb_typeof(value) = 'string' then to_jsonb(iso_timestamp((value #>> '{}')::timestamptz))
          else value
        end
      ), '{}')
      from jsonb_each(fields)
    );
    end
  $$;

  -- The fields of an audit entry.
  create function audited_fields(fields jsonb) returns jsonb language sql stable strict parallel safe
    return without_large_values(contract_fields(fields - '{updated_at,updatedAt}'::text[]));

  -- The values of the fields in the state.
  create function values_of(fields jsonb, state jsonb) returns jsonb language plpgsql immutable strict parallel safe as $$
    begin
      return (select coalesce(jsonb_object_agg(key, state -> key), '{}') from jsonb_object_keys(fields) as key);
    end
  $$;

  create function related_records(related jsonb) returns jsonb language plpgsql stable strict parallel safe as $$
    begin
      return (
      select coalesce(jsonb_agg(
        record || jsonb_build_object(
          'before', audited_fields(nullif(record -> 'before', 'null')), 'after', audited_fields(nullif(record -> 'after', 'null'))
        ) order by place
      ), '[]')
      from jsonb_array_elements(related) with ordinality as changed (record, place)
    );
    end
  $$;

  create view audit_entries as
    select id, occurred_at, case when code is null then 'COMMITTED' else 'REFUSED' end as outcome, code, actor_kind, actor_id, request_id, operation,
      tenant_id, organization_id, record_type, record_id,
      audited_fields(former) as before,
      audited_fields(case when former is null then state else values_of(former, state) end) as after,
      coalesce(related_records(related), '[]') as related,
      coalesce(cascade, '{}') as cascade
    from journal;

  -- The record as its GET shows it: of an organization scope, the added and the removed organizations instead of all.
  create function event_data(record_type text, former jsonb, state jsonb) returns jsonb language sql stable parallel safe
    return case
      when record_type <> 'organizationScope' then contract_fields(coalesce(state, former))
      else contract_fields(state - '{organization_ids,organizationIds}'::text[]) || jsonb_build_object(
        'added', coalesce(state -> 'organization_ids', state -> 'organizationIds', '[]'),
        'removed', coalesce(former -> 'organization_ids', former -> 'organizationIds', '[]')
      )
    end;

  -- The fields that differ from before. Of a created or deleted record, those with a value.
  create function changed_fields(former jsonb, state jsonb) returns text[] language plpgsql stable parallel safe as $$
    begin
      return array(
      select key from jsonb_each(contract_fields(coalesce(former, state) - '{updated_at,updatedAt}'::text[]))
      where former is not null and state is not null or value <> 'null' order by key
    );
    end
  $$;

  create view events as
    select epoch, transaction_id, sequence, id,
      record_type || case when former is null then '.created' when state is null then '.deleted' else '.updated' end as type,
      occurred_at, actor_kind, actor_id, request_id, tenant_id, organization_id, record_type, record_id,
      changed_fields(former, state) as changed,
      event_data(record_type, former, state) as data
    from journal where transaction_id is not null;

  -- A job of the version before the journal deletes old events.
  create function keep_events() returns trigger language plpgsql as $$ begin return null; end $$;
  create trigger keep_events instead of delete on events for each row execute function keep_events();
`;
