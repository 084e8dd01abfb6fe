import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { captureTable, type CapturedTable, describe, hiddenOfAll } from './capture-table.ts';
import { recordWriteFunction } from './record-write-function.ts';

const tables: CapturedTable[] = [
  { table: 'users', type: 'user', hidden: ['deleted_at'] },
  { table: 'customers', type: 'customer' },
  { table: 'apps', type: 'app' },
  { table: 'tenants', type: 'tenant' },
  { table: 'organizations', type: 'organization' },
  { table: 'organization_addresses', type: 'organizationAddress' },
  { table: 'organization_contacts', type: 'organizationContact' },
  { table: 'document_types', type: 'documentType' },
  { table: 'states', type: 'state', key: 'state_code' },
  { table: 'cities', type: 'city', key: 'ibge_code' },
  { table: 'attachments', type: 'attachment', hidden: ['tenant_id', 'content_type', 'size', 'deleted_at'] },
];

/**
 * Captures changes as whole rows in JSON, so that a new column needs no new trigger. The setting `profile.changes`, which lasts until the end of the
 * transaction, has JSON objects separated by commas. It gets at most 100 rows of a type; `profile.uncaptured` has the numbers of the others.
 * `record_write` reads both before the commit. Changes that nobody records are forgotten.
 */
export const changeCapture: Migration = {
  async up(db) {
    await sql`
      drop function capture_row, capture_deleted_attachment, capture_deleted_user, capture_deleted_organization, capture_deleted_memberships,
        capture_deleted_links, capture_membership, capture_grants, raise_version_and_updated_at, raise_version cascade;
      drop function capture_change(text, text, text, jsonb, jsonb), capture_count, captured_changes, changed_fields(jsonb), previous_event_transaction_id,
        record_of(users), record_of(customers), record_of(apps), record_of(tenants), record_of(memberships), record_of(organizations),
        record_of(organization_tenants), record_of(organization_addresses), record_of(organization_contacts), record_of(document_types),
        record_of(states), record_of(cities), record_of(attachments);

      -- Gives the row a new version, and sets updated_at, if a column changes that is not among the arguments.
      create function raise_version() returns trigger language plpgsql as $$
        begin
          if to_jsonb(old) - tg_argv[0]::text[] <> to_jsonb(new) - tg_argv[0]::text[] then
            new.version := nextval('record_versions');
            if tg_argv[1] = 'updated_at' then
              new.updated_at := now();
            end if;
          end if;
          return new;
        end
      $$;
      -- The effective scope depends on whether the member is a tenant-admin.
      create function raise_scope_version() returns trigger language plpgsql as $$
        begin
          new.version := nextval('record_versions');
          return new;
        end
      $$;
      create trigger raise_version before update on memberships for each row when (
        (old.scope, coalesce(old.persona, '') = 'tenant-admin') is distinct from (new.scope, coalesce(new.persona, '') = 'tenant-admin')
      ) execute function raise_scope_version();

      -- Adds the number of rows to those that are not captured, if 100 rows of the type are captured.
      create function leave_out(description text, rows bigint) returns boolean language plpgsql as $$
        declare
          type constant text := ('{' || description || '}')::jsonb ->> 'type';
          captured constant text := current_setting('profile.changes', true);
          uncaptured constant jsonb := coalesce(nullif(current_setting('profile.uncaptured', true), '')::jsonb, '{}');
        begin
          -- Quotes inside a value are escaped, and a blank follows the colons inside a JSON column.
          if not uncaptured ? type and (length(captured) - length(replace(captured, description, ''))) / length(description) < 100 then
            return false;
          end if;
          perform set_config('profile.uncaptured', (uncaptured || jsonb_build_object(type, coalesce((uncaptured ->> type)::bigint, 0) + rows))::text, true);
          return true;
        end
      $$;

      create function capture(change text) returns void language plpgsql as $$
        declare
          captured text := current_setting('profile.changes', true);
        begin
          -- An assignment is faster than PERFORM, which executes a query.
          captured := set_config('profile.changes', case when captured <> '' then captured || ',' || change else change end, true);
        end
      $$;

      -- Captures the row, or the first 100 rows that a statement has deleted. The argument describes the table.
      create function capture_change() returns trigger language plpgsql as $$
        declare
          captured text := current_setting('profile.changes', true);
          deleted record;
          rows bigint := 0;
        begin
          if tg_level = 'STATEMENT' then
            for deleted in select to_json(changed) as fields from changed limit 100 loop
              exit when octet_length(current_setting('profile.changes', true)) > 8192 and leave_out(tg_argv[0], 0);
              perform capture('{' || tg_argv[0] || ',"before":' || deleted.fields || '}');
              rows := rows + 1;
            end loop;
            rows := (select count(*) from changed) - rows;
            if rows > 0 then
              perform leave_out(tg_argv[0], rows);
            end if;
          elsif octet_length(captured) <= 8192 or captured is null or not leave_out(tg_argv[0], 1) then
            captured := set_config('profile.changes',
              case when captured <> '' then captured || ',' else '' end || '{' || tg_argv[0]
                || case when tg_op <> 'INSERT' then ',"before":' || to_json(old) else '' end
                || case when tg_op <> 'DELETE' then ',"after":' || to_json(new) else '' end || '}',
              true
            );
          end if;
          return null;
        end
      $$;

      -- Grants belong to the organization scope of their membership. Changes of them raise its version.
      create function capture_grants() returns trigger language plpgsql as $$
        declare
          membership record;
        begin
          for membership in
            select user_id, tenant_id, jsonb_agg(organization_id order by organization_id) as ids, count(*) as total
            from changed group by user_id, tenant_id order by user_id, tenant_id
          loop
            update memberships set version = nextval('record_versions')
              where user_id = membership.user_id and tenant_id = membership.tenant_id;
            if octet_length(current_setting('profile.changes', true)) > 8192 and leave_out(tg_argv[0], membership.total) then
              continue;
            end if;
            perform capture(format(
              '{%s,"rows":%s,"before":%s,"after":%s}', tg_argv[0], membership.total,
              jsonb_build_object('user_id', membership.user_id, 'tenant_id', membership.tenant_id,
                'organization_ids', case tg_op when 'DELETE' then membership.ids else '[]' end),
              jsonb_build_object('user_id', membership.user_id, 'tenant_id', membership.tenant_id,
                'organization_ids', case tg_op when 'INSERT' then membership.ids else '[]' end)
            ));
          end loop;
          return null;
        end
      $$;
    `.execute(db);

    for (const table of tables) await captureTable(db, table);
    const membership = describe('membership', ['user_id', 'tenant_id'], [...hiddenOfAll, 'created_at']);
    const scope = describe('organizationScope', ['user_id', 'tenant_id'], [...hiddenOfAll, 'created_at', 'persona']);
    const link = describe('organizationLink', ['organization_id', 'tenant_id'], []);
    await sql`
      create trigger capture_insert after insert on memberships for each row execute function capture_change(${membership});
      create trigger capture_update after update on memberships for each row
        when (old.persona is distinct from new.persona) execute function capture_change(${membership});
      create trigger capture_scope after update on memberships for each row
        when (old.scope <> new.scope) execute function capture_change(${scope});
      create trigger capture_insert after insert on organization_tenants for each row execute function capture_change(${link});
      -- A statement can delete many memberships and links. Their triggers run once for each statement.
      create trigger capture_deletes after delete on memberships
        referencing old table as changed for each statement execute function capture_change(${membership});
      create trigger capture_deletes after delete on organization_tenants
        referencing old table as changed for each statement execute function capture_change(${link});
      create trigger capture_inserts after insert on membership_organizations
        referencing new table as changed for each statement execute function capture_grants(${scope});
      create trigger capture_deletes after delete on membership_organizations
        referencing old table as changed for each statement execute function capture_grants(${scope});
    `.execute(db);
    await recordWriteFunction.execute(db);
  },
};
