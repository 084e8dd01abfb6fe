import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The deliveries of webhooks: how far each webhook has got in the events, and the events that were or are to be sent. */
export const webhookDeliveries: Migration = {
  async up(db) {
    await sql`
      create table webhook_progress (
        webhook_id      uuid primary key references webhooks on delete cascade,
        -- The last event for which a delivery was added, or that the webhook does not get.
        epoch           bigint not null,
        transaction_id  xid8 not null,
        sequence        bigint not null,
        -- Since when requests have failed without a success in between.
        failing_since   timestamptz(3)
      );

      -- A webhook starts with the events that are not delivered yet. The settings keep PostgreSQL from sorting all events.
      create function start_webhook_progress() returns trigger
        language plpgsql set plan_cache_mode = force_generic_plan set enable_sort = off set enable_seqscan = off as $$
        begin
          insert into webhook_progress (webhook_id, epoch, transaction_id, sequence) values (new.id, 0, '0', 0);
          update webhook_progress set (epoch, transaction_id, sequence) = (last.epoch, last.transaction_id, last.sequence)
            from (
              select epoch, transaction_id, sequence from journal
              where transaction_id is not null
                and (epoch, transaction_id) < ((select max(epoch) from event_epochs), pg_snapshot_xmin(pg_current_snapshot()))
              order by epoch desc, transaction_id desc, sequence desc limit 1
            ) as last
            where webhook_id = new.id;
          return null;
        end
      $$;
      create trigger start_progress after insert on webhooks for each row execute function start_webhook_progress();

      create table webhook_deliveries (
        id                uuid primary key default gen_random_uuid(),
        -- The order in which the deliveries of a record are sent.
        sequence          bigint generated always as identity,
        webhook_id        uuid not null constraint webhook_deliveries_webhook_id_fkey references webhooks on delete cascade,
        event_id          uuid not null,
        -- Finds the event in its partition.
        event_occurred_at timestamptz(3) not null,
        type              text not null,
        record_type       text not null,
        record_id         text not null,
        status            text not null default 'PENDING' check (status in ('PENDING', 'DELIVERED', 'FAILED')),
        attempts          jsonb not null default '[]',
        -- Null if it has ended, or while an earlier delivery of the record is pending.
        next_attempt_at   timestamptz(3),
        created_at        timestamptz(3) not null default now(),
        constraint webhook_deliveries_next_attempt_check check (status = 'PENDING' or next_attempt_at is null)
      );
      create index webhook_deliveries_due_idx on webhook_deliveries (webhook_id, next_attempt_at) where next_attempt_at is not null;
      create index webhook_deliveries_pending_idx on webhook_deliveries (webhook_id, record_type, record_id, sequence) where status = 'PENDING';
      create index webhook_deliveries_list_idx on webhook_deliveries (webhook_id, sequence);
      -- The deliveries of an event, for replays of failed ones.
      create index webhook_deliveries_event_idx on webhook_deliveries (webhook_id, event_id, sequence);
      create index webhook_deliveries_created_at_idx on webhook_deliveries (created_at);
    `.execute(db);
  },
};
