import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { captureTable } from './capture-table.ts';
import { recordWriteFunction } from './record-write-function.ts';

/** Webhooks. A journal row about a webhook has the tenant of the webhook. */
export const webhooks: Migration = {
  async up(db) {
    await sql`
      create table webhooks (
        id                         uuid primary key,
        -- Null: the webhook gets the events of all tenants.
        tenant_id                  uuid constraint webhooks_tenant_id_fkey references tenants on delete cascade,
        url                        text not null check (url <> ''),
        description                text,
        types                      text[] not null check (cardinality(types) between 1 and 50),
        -- What the owner wants. disabled_at is what the service did.
        active                     boolean not null default true,
        disabled_at                timestamptz(3),
        disabled_reason            text check (disabled_reason in ('ENDPOINT_GONE', 'FAILING')),
        -- Encrypted with WEBHOOK_ENCRYPTION_KEY.
        secret                     bytea not null,
        -- The secret before the last rotation, with which requests are signed too until it expires.
        previous_secret            bytea,
        previous_secret_expires_at timestamptz(3),
        created_at                 timestamptz(3) not null default now(),
        updated_at                 timestamptz(3) not null default now(),
        version                    bigint not null default nextval('record_versions'),
        constraint webhooks_disabled_check check ((disabled_at is null) = (disabled_reason is null)),
        constraint webhooks_previous_secret_check check ((previous_secret is null) = (previous_secret_expires_at is null))
      );
      create index webhooks_tenant_id_idx on webhooks (tenant_id, id);
    `.execute(db);
    await captureTable(db, { table: 'webhooks', type: 'webhook', hidden: ['secret', 'previous_secret', 'previous_secret_expires_at'] });
    await recordWriteFunction.execute(db);
  },
};
