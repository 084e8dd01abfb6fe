import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Versions of records, for ETags. A trigger gives a row a new version, and sets `updated_at`, when the value of a column in its condition changes. An update
 * to equal values changes neither. All versions come from one sequence, so that no version is used twice, not even after a row was deleted and created again.
 */
export const versions: Migration = {
  async up(db) {
    await sql`
      create sequence record_versions;

      alter table users add column version bigint not null default nextval('record_versions');
      alter table customers add column version bigint not null default nextval('record_versions');
      alter table apps add column version bigint not null default nextval('record_versions');
      alter table tenants add column version bigint not null default nextval('record_versions');
      alter table organizations add column version bigint not null default nextval('record_versions');
      alter table organization_addresses add column version bigint not null default nextval('record_versions');
      alter table organization_contacts add column version bigint not null default nextval('record_versions');
      alter table document_types add column version bigint not null default nextval('record_versions');
      alter table states add column version bigint not null default nextval('record_versions');
      alter table cities add column version bigint not null default nextval('record_versions');
      alter table attachments add column version bigint not null default nextval('record_versions');
      -- The version of the membership's organization scope.
      alter table memberships add column version bigint not null default nextval('record_versions');

      create function raise_version() returns trigger language plpgsql as $$
        begin
          new.version := nextval('record_versions');
          return new;
        end
      $$;
      create function raise_version_and_updated_at() returns trigger language plpgsql as $$
        begin
          new.version := nextval('record_versions');
          new.updated_at := now();
          return new;
        end
      $$;

      create trigger users_changed before update on users for each row when (
        (old.id_identity, old.name, old.email, old.federal_tax_id, old.type, old.job_title, old.customer_id, old.deleted_at) is distinct from
        (new.id_identity, new.name, new.email, new.federal_tax_id, new.type, new.job_title, new.customer_id, new.deleted_at)
      ) execute function raise_version_and_updated_at();

      create trigger customers_changed before update on customers for each row when (
        (old.federal_tax_id, old.name, old.alias, old.email, old.phone, old.logo_path, old.active) is distinct from
        (new.federal_tax_id, new.name, new.alias, new.email, new.phone, new.logo_path, new.active)
      ) execute function raise_version();

      create trigger apps_changed before update on apps for each row when (old.name <> new.name) execute function raise_version();

      create trigger tenants_changed before update on tenants for each row when (
        (old.customer_id, old.app_id, old.name, old.active, old.metadata, old.identity_client_id, old.allowed_scopes) is distinct from
        (new.customer_id, new.app_id, new.name, new.active, new.metadata, new.identity_client_id, new.allowed_scopes)
      ) execute function raise_version();

      create trigger organizations_changed before update on organizations for each row when (
        (old.name, old.alias, old.federal_tax_id, old.state_tax_id, old.municipal_tax_id, old.logo_path, old.active, old.listed, old.metadata,
          old.organization_address_id, old.deleted_at) is distinct from
        (new.name, new.alias, new.federal_tax_id, new.state_tax_id, new.municipal_tax_id, new.logo_path, new.active, new.listed, new.metadata,
          new.organization_address_id, new.deleted_at)
      ) execute function raise_version_and_updated_at();

      create trigger organization_addresses_changed before update on organization_addresses for each row when (
        (old.organization_id, old.zip_code, old.street, old.number, old.complement, old.district, old.city_code, old.state_code, old.country,
          old.latitude, old.longitude, old.valid_from, old.valid_to) is distinct from
        (new.organization_id, new.zip_code, new.street, new.number, new.complement, new.district, new.city_code, new.state_code, new.country,
          new.latitude, new.longitude, new.valid_from, new.valid_to)
      ) execute function raise_version();

      create trigger organization_contacts_changed before update on organization_contacts for each row when (
        (old.organization_id, old.type, old.description, old.value, old.is_primary) is distinct from
        (new.organization_id, new.type, new.description, new.value, new.is_primary)
      ) execute function raise_version_and_updated_at();

      create trigger document_types_changed before update on document_types for each row when (
        (old.name, old.is_required, old.description, old.requires_approval, old.has_expiration, old.default_validity_days,
          old.has_authenticity_code, old.is_active) is distinct from
        (new.name, new.is_required, new.description, new.requires_approval, new.has_expiration, new.default_validity_days,
          new.has_authenticity_code, new.is_active)
      ) execute function raise_version_and_updated_at();

      create trigger states_changed before update on states for each row when (
        (old.state_code, old.uf, old.name, old.latitude, old.longitude, old.region) is distinct from
        (new.state_code, new.uf, new.name, new.latitude, new.longitude, new.region)
      ) execute function raise_version();

      create trigger cities_changed before update on cities for each row when (
        (old.ibge_code, old.name, old.latitude, old.longitude, old.capital, old.state_code, old.siafi_id, old.ddd, old.time_zone)
          is distinct from
        (new.ibge_code, new.name, new.latitude, new.longitude, new.capital, new.state_code, new.siafi_id, new.ddd, new.time_zone)
      ) execute function raise_version();

      create trigger attachments_changed before update on attachments for each row when (
        (old.entity_type, old.entity_id, old.file_path, old.original_filename, old.description, old.external, old.user_id, old.deleted_at)
          is distinct from
        (new.entity_type, new.entity_id, new.file_path, new.original_filename, new.description, new.external, new.user_id, new.deleted_at)
      ) execute function raise_version_and_updated_at();

      -- The effective scope depends on whether the member is a tenant-admin, and on whether the user is Global.
      create trigger memberships_changed before update on memberships for each row when (
        (old.scope, coalesce(old.persona, '') = 'tenant-admin') is distinct from (new.scope, coalesce(new.persona, '') = 'tenant-admin')
      ) execute function raise_version();
      create function raise_versions_of_scopes() returns trigger language plpgsql as $$
        begin
          update memberships set version = nextval('record_versions') where user_id = new.id and persona is distinct from 'tenant-admin';
          return null;
        end
      $$;
      create trigger users_type_changed after update of type on users for each row when ((old.type = 'Global') <> (new.type = 'Global'))
        execute function raise_versions_of_scopes();
    `.execute(db);
  },
};
