import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Organizations with their addresses, contacts, links to tenants, and the grants of restricted memberships. */
export const organizations: Migration = {
  async up(db) {
    await sql`
      create extension if not exists btree_gist;

      create table organizations (
        id                      uuid primary key,
        name                    text not null check (name <> ''),
        alias                   text,
        federal_tax_id          text not null check (char_length(federal_tax_id) <= 14),
        state_tax_id            text,
        municipal_tax_id        text,
        logo_path               text,
        active                  boolean not null default true,
        listed                  boolean not null default true,
        metadata                jsonb,
        organization_address_id uuid,
        created_at              timestamptz(3) not null default now(),
        updated_at              timestamptz(3) not null default now(),
        deleted_at              timestamptz(3),
        search_name             text not null generated always as (search_text(name)) stored
      );
      create unique index organizations_federal_tax_id_key on organizations (federal_tax_id) where deleted_at is null;
      create index organizations_organization_address_id_idx on organizations (organization_address_id);
      -- Queries on records of organizations exclude deleted organizations by this small index.
      create index organizations_deleted_idx on organizations (id) where deleted_at is not null;

      create table organization_addresses (
        id              uuid primary key,
        organization_id uuid not null constraint organization_addresses_organization_id_fkey references organizations,
        zip_code        text not null check (char_length(zip_code) <= 8),
        street          text not null check (street <> ''),
        number          text not null check (number <> ''),
        complement      text,
        district        text check (char_length(district) <= 50),
        city_code       integer not null,
        state_code      integer not null,
        country         text not null default 'Brasil' check (char_length(country) <= 50),
        latitude        double precision,
        longitude       double precision,
        valid_from      timestamptz(3) not null default now(),
        valid_to        timestamptz(3) check (valid_to >= valid_from),
        -- PostgreSQL checks them in this order, so that an unknown state or city is not reported as a city of another state.
        constraint organization_addresses_state_code_fkey foreign key (state_code) references states,
        constraint organization_addresses_city_code_fkey foreign key (city_code) references cities,
        constraint organization_addresses_city_state_fkey foreign key (city_code, state_code)
          references cities (ibge_code, state_code) on update cascade,
        constraint organization_addresses_period_excl
          exclude using gist (organization_id with =, tstzrange(valid_from, valid_to) with &&)
      );
      create unique index organization_addresses_current_key on organization_addresses (organization_id) where valid_to is null;
      create index organization_addresses_organization_id_idx on organization_addresses (organization_id, id);
      create index organization_addresses_city_state_idx on organization_addresses (city_code, state_code);
      create index organization_addresses_state_code_idx on organization_addresses (state_code);

      -- Added last, since the two tables refer to each other.
      alter table organizations add constraint organizations_organization_address_id_fkey
        foreign key (organization_address_id) references organization_addresses on delete set null;

      create table organization_contacts (
        id              uuid primary key,
        organization_id uuid not null constraint organization_contacts_organization_id_fkey references organizations,
        type            text not null check (type in ('PHONE', 'EMAIL', 'URL')),
        description     text,
        value           text not null check (value <> ''),
        is_primary      boolean not null default false,
        created_at      timestamptz(3) not null default now(),
        updated_at      timestamptz(3) not null default now()
      );
      create unique index organization_contacts_primary_key on organization_contacts (organization_id) where is_primary;
      create index organization_contacts_organization_id_idx on organization_contacts (organization_id, id);

      create table organization_tenants (
        tenant_id       uuid not null constraint organization_tenants_tenant_id_fkey references tenants on delete cascade,
        organization_id uuid not null constraint organization_tenants_organization_id_fkey references organizations,
        constraint organization_tenants_pkey primary key (tenant_id, organization_id)
      );
      create index organization_tenants_organization_id_idx on organization_tenants (organization_id, tenant_id);

      -- The grants of a RESTRICTED membership. A grant is deleted with the membership or with the link.
      create table membership_organizations (
        user_id         uuid not null,
        tenant_id       uuid not null,
        organization_id uuid not null,
        constraint membership_organizations_pkey primary key (user_id, tenant_id, organization_id),
        constraint membership_organizations_membership_fkey foreign key (user_id, tenant_id)
          references memberships on delete cascade,
        constraint membership_organizations_link_fkey foreign key (organization_id, tenant_id)
          references organization_tenants (organization_id, tenant_id) on delete cascade
      );
      create index membership_organizations_link_idx on membership_organizations (organization_id, tenant_id);
    `.execute(db);
  },
};
