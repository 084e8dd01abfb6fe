import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Captures what a transaction changes, for the audit log and the events. Triggers collect the changes in two settings that last until the end of the
 * transaction: `profile.changes` has JSON objects, separated by commas, of the first 100 rows for each type and operation, and `profile.change_counts` has the
 * numbers of all rows, from the second change on. `record_write` (0017) reads them before the commit. Changes that nobody records are forgotten.
 */
export const capturedChanges: Migration = {
  async up(db) {
    await sql`
      create function iso_timestamp(value timestamptz) returns text language sql stable parallel safe
        return to_char(value at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

      -- record_of returns a row as its GET shows it.
      create function record_of(r users) returns jsonb language sql stable parallel safe return jsonb_build_object(
        'id', r.id, 'idIdentity', r.id_identity, 'name', r.name, 'email', r.email, 'federalTaxId', r.federal_tax_id, 'type', r.type,
        'jobTitle', r.job_title, 'customerId', r.customer_id, 'createdAt', iso_timestamp(r.created_at), 'updatedAt', iso_timestamp(r.updated_at)
      );
      create function record_of(r customers) returns jsonb language sql stable parallel safe return jsonb_build_object(
        'id', r.id, 'federalTaxId', r.federal_tax_id, 'name', r.name, 'alias', r.alias, 'email', r.email, 'phone', r.phone,
        'logoPath', r.logo_path, 'active', r.active
      );
      create function record_of(r apps) returns jsonb language sql stable parallel safe return jsonb_build_object('id', r.id, 'name', r.name);
      create function record_of(r tenants) returns jsonb language sql stable parallel safe return jsonb_build_object(
        'id', r.id, 'customerId', r.customer_id, 'appId', r.app_id, 'name', r.name, 'active', r.active, 'metadata', r.metadata,
        'identityClientId', r.identity_client_id, 'allowedScopes', r.allowed_scopes
      );
      create function record_of(r memberships) returns jsonb language sql stable parallel safe return jsonb_build_object(
        'userId', r.user_id, 'tenantId', r.tenant_id, 'persona', r.persona, 'scope', r.scope
      );
      create function record_of(r organizations) returns jsonb language sql stable parallel safe return jsonb_build_object(
        'id', r.id, 'name', r.name, 'alias', r.alias, 'federalTaxId', r.federal_tax_id, 'stateTaxId', r.state_tax_id,
        'municipalTaxId', r.municipal_tax_id, 'logoPath', r.logo_path, 'active', r.active, 'listed', r.listed, 'metadata', r.metadata,
        'organizationAddressId', r.organization_address_id, 'createdAt', iso_timestamp(r.created_at), 'updatedAt', iso_timestamp(r.updated_at),
        'deletedAt', iso_timestamp(r.deleted_at)
      );
      create function record_of(r organization_tenants) returns jsonb language sql stable parallel safe return jsonb_build_object(
        'organizationId', r.organization_id, 'tenantId', r.tenant_id
      );
      create function record_of(r organization_addresses) returns jsonb language sql stable parallel safe return jsonb_build_object(
        'id', r.id, 'organizationId', r.organization_id, 'zipCode', r.zip_code, 'street', r.street, 'number', r.number,
        'complement', r.complement, 'district', r.district, 'cityCode', r.city_code, 'stateCode', r.state_code, 'country', r.country,
        'latitude', r.latitude, 'longitude', r.longitude, 'validFrom', iso_timestamp(r.valid_from), 'validTo', iso_timestamp(r.valid_to)
      );
      create function record_of(r organization_contacts) returns jsonb language sql stable parallel safe return jsonb_build_object(
        'id', r.id, 'organizationId', r.organization_id, 'type', r.type, 'description', r.description, 'value', r.value,
        'isPrimary', r.is_primary, 'createdAt', iso_timestamp(r.created_at), 'updatedAt', iso_timestamp(r.updated_at)
      );
      create function record_of(r document_types) returns jsonb language sql stable parallel safe return jsonb_build_object(
        'id', r.id, 'name', r.name, 'isRequired', r.is_required, 'description', r.description, 'requiresApproval', r.requires_approval,
        'hasExpiration', r.has_expiration, 'defaultValidityDays', r.default_validity_days, 'hasAuthenticityCode', r.has_authenticity_code,
        'isActive', r.is_active, 'createdAt', iso_timestamp(r.created_at), 'updatedAt', iso_timestamp(r.updated_at)
      );
      create function record_of(r states) returns jsonb language sql stable parallel safe return jsonb_build_object(
        'stateCode', r.state_code, 'uf', r.uf, 'name', r.name, 'latitude', r.latitude, 'longitude', r.longitude, 'region', r.region
      );
      create function record_of(r cities) returns jsonb language sql stable parallel safe return jsonb_build_object(
        'ibgeCode', r.ibge_code, 'name', r.name, 'latitude', r.latitude, 'longitude', r.longitude, 'capital', r.capital,
        'stateCode', r.state_code, 'siafiId', r.siafi_id, 'ddd', r.ddd, 'timeZone', r.time_zone
      );
      create function record_of(r attachments) returns jsonb language sql stable parallel safe return jsonb_build_object(
        'id', r.id, 'entityType', r.entity_type, 'filePath', r.file_path, 'originalFilename', r.original_filename,
        'description', r.description, 'external', r.external, 'entityId', r.entity_id, 'userId', r.user_id,
        'createdAt', iso_timestamp(r.created_at), 'updatedAt', iso_timestamp(r.updated_at)
      );

      -- Adds to the number of rows. The first change of a transaction comes before the first call.
      create function capture_count(type text, operation text, rows bigint) returns bigint language plpgsql as $$
        declare
          key constant text := type || '.' || operation;
          counts jsonb := nullif(current_setting('profile.change_counts', true), '');
          first_change jsonb;
          total bigint;
        begin
          if counts is null then
            first_change := current_setting('profile.changes');
            counts := jsonb_build_object((first_change ->> 'type') || '.' || (first_change ->> 'operation'), 1);
          end if;
          total := coalesce((counts ->> key)::bigint, 0) + rows;
          perform set_config('profile.change_counts', (counts || jsonb_build_object(key, total))::text, true);
          return total;
        end
      $$;

      -- before is null for a created row, and after for a deleted one.
      create function capture_change(type text, id text, operation text, before jsonb, after jsonb) returns void language plpgsql as $$
        declare
          captured text := current_setting('profile.changes', true);
          is_first constant boolean := coalesce(captured, '') = '';
          change text;
        begin
          if not is_first and capture_count(type, operation, 1) > 100 then
            return;
          end if;
          change := jsonb_build_object('type', type, 'id', id, 'operation', operation, 'before', before, 'after', after);
          -- An assignment is faster than PERFORM, which executes a query.
          captured := set_config('profile.changes', case when is_first then change else captured || ',' || change end, true);
        end
      $$;

      -- Arguments: the type of the record, and one or two fields of its key.
      create function capture_row() returns trigger language plpgsql as $$
        declare
          before jsonb;
          after jsonb;
          operation text := 'updated';
          record jsonb;
        begin
          if tg_op = 'INSERT' then
            operation := 'created';
          else
            before := record_of(old);
          end if;
          if tg_op = 'DELETE' then
            operation := 'deleted';
          else
            after := record_of(new);
          end if;
          record := coalesce(before, after);
          perform capture_change(tg_argv[0], concat_ws(':', record ->> tg_argv[1], record ->> tg_argv[2]), operation, before, after);
          return null;
        end
      $$;

      create trigger capture_insert_delete after insert or delete on users for each row execute function capture_row('user', 'id');
      create trigger capture_update after update on users for each row
        when (old.version <> new.version and new.deleted_at is null) execute function capture_row('user', 'id');
      create trigger capture_insert_delete after insert or delete on customers for each row execute function capture_row('customer', 'id');
      create trigger capture_update after update on customers for each row
        when (old.version <> new.version) execute function capture_row('customer', 'id');
      create trigger capture_insert_delete after insert or delete on apps for each row execute function capture_row('app', 'id');
      create trigger capture_update after update on apps for each row
        when (old.version <> new.version) execute function capture_row('app', 'id');
      create trigger capture_insert_delete after insert or delete on tenants for each row execute function capture_row('tenant', 'id');
      create trigger capture_update after update on tenants for each row
        when (old.version <> new.version) execute function capture_row('tenant', 'id');
      create trigger capture_insert_delete after insert or delete on organizations
        for each row execute function capture_row('organization', 'id');
      create trigger capture_update after update on organizations for each row
        when (old.version <> new.version and new.deleted_at is null) execute function capture_row('organization', 'id');
      create trigger capture_insert_delete after insert or delete on organization_addresses
        for each row execute function capture_row('organizationAddress', 'id');
      create trigger capture_update after update on organization_addresses for each row
        when (old.version <> new.version) execute function capture_row('organizationAddress', 'id');
      create trigger capture_insert_delete after insert or delete on organization_contacts
        for each row execute function capture_row('organizationContact', 'id');
      create trigger capture_update after update on organization_contacts for each row
        when (old.version <> new.version) execute function capture_row('organizationContact', 'id');
      create trigger capture_insert_delete after insert or delete on document_types
        for each row execute function capture_row('documentType', 'id');
      create trigger capture_update after update on document_types for each row
        when (old.version <> new.version) execute function capture_row('documentType', 'id');
      create trigger capture_insert_delete after insert or delete on states for each row execute function capture_row('state', 'stateCode');
      create trigger capture_update after update on states for each row
        when (old.version <> new.version) execute function capture_row('state', 'stateCode');
      create trigger capture_insert_delete after insert or delete on cities for each row execute function capture_row('city', 'ibgeCode');
      create trigger capture_update after update on cities for each row
        when (old.version <> new.version) execute function capture_row('city', 'ibgeCode');
      create trigger capture_insert_delete after insert or delete on attachments
        for each row execute function capture_row('attachment', 'id');
      create trigger capture_update after update on attachments for each row
        when (old.version <> new.version and new.deleted_at is null) execute function capture_row('attachment', 'id');
      create function capture_deleted_attachment() returns trigger language plpgsql as $$
        begin
          perform capture_change('attachment', old.id::text, 'deleted', record_of(old), null);
          return null;
        end
      $$;
      create trigger capture_soft_delete after update of deleted_at on attachments for each row
        when (old.deleted_at is null and new.deleted_at is not null) execute function capture_deleted_attachment();

      -- A soft-deleted user or organization hides other records.
      create function capture_deleted_user() returns trigger language plpgsql as $$
        begin
          perform capture_change('user', old.id::text, 'deleted', record_of(old), null);
          perform capture_count('membership', 'deleted', (select count(*) from memberships where user_id = old.id));
          return null;
        end
      $$;
      create trigger capture_soft_delete after update of deleted_at on users for each row
        when (old.deleted_at is null and new.deleted_at is not null) execute function capture_deleted_user();

      create function capture_deleted_organization() returns trigger language plpgsql as $$
        begin
          perform capture_change('organization', old.id::text, 'deleted', record_of(old), null);
          perform capture_count('organizationAddress', 'deleted', (select count(*) from organization_addresses where organization_id = old.id));
          perform capture_count('organizationContact', 'deleted', (select count(*) from organization_contacts where organization_id = old.id));
          perform capture_count('attachment', 'deleted', (
            select count(*) from attachments where entity_id = old.id and deleted_at is null
          ));
          return null;
        end
      $$;
      create trigger capture_soft_delete after update of deleted_at on organizations for each row
        when (old.deleted_at is null and new.deleted_at is not null) execute function capture_deleted_organization();

      create trigger capture_insert after insert on memberships for each row execute function capture_row('membership', 'userId', 'tenantId');
      create trigger capture_insert after insert on organization_tenants
        for each row execute function capture_row('organizationLink', 'organizationId', 'tenantId');

      -- A statement can delete many memberships and links. Their triggers run once for each statement.
      create function capture_deleted_memberships() returns trigger language plpgsql as $$
        declare
          membership memberships;
          total constant bigint := (select count(*) from changed);
        begin
          for membership in select * from changed limit 100 loop
            perform capture_change('membership', membership.user_id || ':' || membership.tenant_id, 'deleted', record_of(membership), null);
          end loop;
          if total > 100 then
            perform capture_count('membership', 'deleted', total - 100);
          end if;
          return null;
        end
      $$;
      create trigger capture_deletes after delete on memberships
        referencing old table as changed for each statement execute function capture_deleted_memberships();

      create function capture_deleted_links() returns trigger language plpgsql as $$
        declare
          link organization_tenants;
          total constant bigint := (select count(*) from changed);
        begin
          for link in select * from changed limit 100 loop
            perform capture_change('organizationLink', link.organization_id || ':' || link.tenant_id, 'deleted', record_of(link), null);
          end loop;
          if total > 100 then
            perform capture_count('organizationLink', 'deleted', total - 100);
          end if;
          return null;
        end
      $$;
      create trigger capture_deletes after delete on organization_tenants
        referencing old table as changed for each statement execute function capture_deleted_links();

      create function capture_membership() returns trigger language plpgsql as $$
        declare
          id constant text := old.user_id || ':' || old.tenant_id;
        begin
          if old.persona is distinct from new.persona then
            perform capture_change('membership', id, 'updated', record_of(old), record_of(new));
          end if;
          if old.scope <> new.scope then
            perform capture_change(
              'organizationScope', id, 'updated', jsonb_build_object('scope', old.scope), jsonb_build_object('scope', new.scope)
            );
          end if;
          return null;
        end
      $$;
      create trigger capture_update after update on memberships for each row
        when ((old.persona, old.scope) is distinct from (new.persona, new.scope)) execute function capture_membership();

      -- Grants belong to the organization scope of their membership. Changes of them raise its version.
      create function capture_grants() returns trigger language plpgsql as $$
        declare
          membership record;
          organization_ids jsonb;
        begin
          for membership in
            select user_id, tenant_id, jsonb_agg(organization_id order by organization_id) as ids, count(*) as total
            from changed group by user_id, tenant_id order by user_id, tenant_id
          loop
            update memberships set version = nextval('record_versions')
              where user_id = membership.user_id and tenant_id = membership.tenant_id;
            perform capture_change(
              'organizationScope', membership.user_id || ':' || membership.tenant_id, 'updated',
              jsonb_build_object('organizationIds', case tg_op when 'DELETE' then membership.ids else '[]' end),
              jsonb_build_object('organizationIds', case tg_op when 'INSERT' then membership.ids else '[]' end)
            );
            if tg_op = 'DELETE' then
              perform capture_count('organizationScope', 'deleted', membership.total);
            end if;
          end loop;
          return null;
        end
      $$;
      create trigger capture_inserts after insert on membership_organizations
        referencing new table as changed for each statement execute function capture_grants();
      create trigger capture_deletes after delete on membership_organizations
        referencing old table as changed for each statement execute function capture_grants();
    `.execute(db);
  },
};
