import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The event feed. The tenants to which a deleted organization was linked are kept, so that each of them gets the event of the deletion. The view of the events
 * shows the states, by which the feed is filtered.
 */
export const eventFeed: Migration = {
  async up(db) {
    await sql`
      -- Without foreign keys: their locks would cause deadlocks with the deletion of a tenant, whose rows nobody reads afterwards.
      create table deleted_organization_links (
        organization_id uuid not null,
        tenant_id uuid not null,
        primary key (organization_id, tenant_id)
      );

      create or replace function count_deleted_organization() returns trigger language plpgsql as $$
        begin
          if new.deleted_at is null then
            delete from deleted_organization_links where organization_id = new.id;
            perform append_organization_count('00000000-0000-0000-0000-000000000000', 1);
          else
            -- Waits for transactions that have linked the organization: their foreign keys hold a lock on it. Later links see the deletion.
            perform from organizations where id = new.id for update;
            with ended as (delete from organization_tenants where organization_id = new.id returning tenant_id)
              insert into deleted_organization_links (tenant_id, organization_id) select tenant_id, new.id from ended;
            perform append_organization_count('00000000-0000-0000-0000-000000000000', -1);
          end if;
          return null;
        end
      $$;

      create or replace view events as
        select epoch, transaction_id, sequence, id,
          record_type || case when former is null then '.created' when state is null then '.deleted' else '.updated' end as type,
          occurred_at, actor_kind, actor_id, request_id, tenant_id, organization_id, record_type, record_id,
          changed_fields(former, state) as changed,
          event_data(record_type, former, state) as data,
          former, state
        from journal where transaction_id is not null;
    `.execute(db);
  },
};
