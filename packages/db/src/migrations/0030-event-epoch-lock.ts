import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The first write of a session locks the epochs only if one is missing. Before, it waited for the transactions of other sessions that wrote first. */
export const eventEpochLock: Migration = {
  async up(db) {
    await sql`
      create or replace function current_event_epoch() returns bigint language plpgsql as $$
        declare
          cluster bigint := 0;
          -- A promoted standby and a recovery to a point in time start a new timeline.
          line constant text := left(pg_walfile_name(pg_current_wal_lsn()), 8);
          latest event_epochs;
        begin
          begin
            cluster := (select control.system_identifier from pg_control_system() as control);
          exception when insufficient_privilege then
            -- Then only the timeline shows a restore.
          end;
          select * into latest from event_epochs order by epoch desc limit 1;
          if (latest.system_identifier, latest.timeline) is distinct from (cluster, line) then
            perform pg_advisory_xact_lock(hashtextextended('current_event_epoch', 0));
            -- Another transaction may have added it meanwhile.
            select * into latest from event_epochs order by epoch desc limit 1;
          end if;
          if (latest.system_identifier, latest.timeline) is distinct from (cluster, line) then
            insert into event_epochs (epoch, system_identifier, timeline)
              values (greatest(extract(epoch from clock_timestamp()) * 1000, latest.epoch + 1), cluster, line)
              returning * into latest;
          end if;
          perform set_config('profile.event_epoch', latest.epoch::text, false);
          return latest.epoch;
        end
      $$;
    `.execute(db);
  },
};
