import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Customers, apps, tenants, users and memberships. */
export const people: Migration = {
  async up(db) {
    await sql`
      create table customers (
        id             uuid primary key,
        federal_tax_id text not null check (char_length(federal_tax_id) <= 14),
        name           text not null check (name <> ''),
        alias          text,
        email          text,
        phone          text,
        logo_path      text,
        active         boolean not null default true,
        constraint customers_federal_tax_id_key unique (federal_tax_id)
      );

      create table apps (
        id   uuid primary key,
        name text not null check (name <> ''),
        constraint apps_name_key unique (name)
      );

      create table tenants (
        id                 uuid primary key,
        customer_id        uuid not null constraint tenants_customer_id_fkey references customers,
        app_id             uuid not null constraint tenants_app_id_fkey references apps,
        name               text not null check (name <> ''),
        active             boolean not null default true,
        metadata           jsonb,
        identity_client_id text,
        allowed_scopes     text[],
        constraint tenants_identity_client_id_key unique (identity_client_id)
      );
      create index tenants_customer_id_idx on tenants (customer_id);
      create index tenants_app_id_idx on tenants (app_id);

      -- The columns password_mail_* queue the e-mail to set the first password until it is sent.
      create table users (
        id                         uuid primary key,
        id_identity                text not null,
        name                       text not null check (name <> ''),
        email                      text not null check (email = lower(email)),
        federal_tax_id             text not null check (char_length(federal_tax_id) = 11),
        type                       text not null check (type in ('Admin', 'Coordinator', 'Technician', 'Cooperative', 'Global')),
        job_title                  text,
        customer_id                uuid constraint users_customer_id_fkey references customers,
        password_mail_owed_since   timestamptz(3),
        password_mail_next_try_at  timestamptz(3),
        password_mail_attempts     integer not null default 0,
        created_at                 timestamptz(3) not null default now(),
        updated_at                 timestamptz(3) not null default now(),
        deleted_at                 timestamptz(3),
        search_name                text not null generated always as (search_text(name)) stored
      );
      create unique index users_email_key on users (email) where deleted_at is null;
      create unique index users_federal_tax_id_key on users (federal_tax_id) where deleted_at is null;
      create unique index users_id_identity_key on users (id_identity) where deleted_at is null;
      create index users_customer_id_idx on users (customer_id, id);
      create index users_password_mail_next_try_at_idx on users (password_mail_next_try_at) where password_mail_owed_since is not null;

      create table memberships (
        user_id    uuid not null constraint memberships_user_id_fkey references users,
        tenant_id  uuid not null constraint memberships_tenant_id_fkey references tenants on delete cascade,
        persona    text check (persona in ('tenant-admin', 'coordinator', 'technician', 'viewer')),
        scope      text not null default 'ALL' check (scope in ('ALL', 'RESTRICTED')),
        created_at timestamptz(3) not null default now(),
        constraint memberships_pkey primary key (user_id, tenant_id)
      );
      create index memberships_tenant_id_idx on memberships (tenant_id, user_id);
    `.execute(db);
  },
};
