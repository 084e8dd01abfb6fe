import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Counters of organizations that are only appended to: each change adds a row, and no writer waits for a row of another. A counter is still the sum of its
 * rows. About every 64th row of a counter folds the rows that no other transaction is folding into one, so that a read has few rows to add.
 */
export const appendedOrganizationCounts: Migration = {
  async up(db) {
    await sql`
      alter table organization_counts reset (fillfactor);
      drop function change_organization_count, count_organizations, count_organization_tenants cascade;

      create function fold_organization_count(counted_tenant_id uuid) returns void
        language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
        begin
          with free as materialized (
            select id from organization_counts where tenant_id = counted_tenant_id for update skip locked
          ), folded as (
            delete from organization_counts where id in (select id from free) returning count
          )
          insert into organization_counts (tenant_id, count) select counted_tenant_id, sum(count) from folded having count(*) > 0;
        end
      $$;

      create function append_organization_count(counted_tenant_id uuid, change bigint) returns void language plpgsql as $$
        declare
          row_id bigint;
        begin
          insert into organization_counts (tenant_id, count) values (counted_tenant_id, change) returning id into row_id;
          if row_id % 64 = 0 then
            perform fold_organization_count(counted_tenant_id);
          end if;
        end
      $$;

      -- The argument of the next two functions is 1 for new rows, and -1 for old rows. They run once for each statement: a load adds one row.
      create function count_organizations() returns trigger language plpgsql as $$
        declare
          row_id bigint;
        begin
          insert into organization_counts (tenant_id, count)
            select '00000000-0000-0000-0000-000000000000', tg_argv[0]::bigint * count(*) from changed where deleted_at is null having count(*) > 0
            returning id into row_id;
          if row_id % 64 = 0 then
            perform fold_organization_count('00000000-0000-0000-0000-000000000000');
          end if;
          return null;
        end
      $$;
      create trigger organizations_inserted after insert on organizations
        referencing new table as changed for each statement execute function count_organizations('1');
      create trigger organizations_removed after delete on organizations
        referencing old table as changed for each statement execute function count_organizations('-1');

      create function reject_link() returns bigint language plpgsql as $$
        begin
          raise foreign_key_violation using
            message = 'A deleted organization cannot be linked to a tenant',
            constraint = 'organization_tenants_organization_id_fkey';
        end
      $$;
      create function count_inserted_links() returns trigger language plpgsql as $$
        declare
          appended record;
        begin
          for appended in
            insert into organization_counts (tenant_id, count)
              select tenant_id, case when bool_or(
                exists (select from organizations where id = organization_id and deleted_at is not null)
              ) then reject_link() else count(*) end
              from changed group by tenant_id
              returning id, tenant_id
          loop
            if appended.id % 64 = 0 then
              perform fold_organization_count(appended.tenant_id);
            end if;
          end loop;
          return null;
        end
      $$;
      create trigger organization_tenants_inserted after insert on organization_tenants
        referencing new table as changed for each statement execute function count_inserted_links();

      create function count_deleted_links() returns trigger language plpgsql as $$
        begin
          -- Skips the links of a deleted tenant, whose counter is deleted before.
          perform append_organization_count(tenant_id, -count(*)) from changed join tenants on tenants.id = tenant_id group by tenant_id;
          return null;
        end
      $$;
      create trigger organization_tenants_removed after delete on organization_tenants
        referencing old table as changed for each statement execute function count_deleted_links();

      create or replace function count_deleted_organization() returns trigger language plpgsql as $$
        begin
          if new.deleted_at is null then
            perform append_organization_count('00000000-0000-0000-0000-000000000000', 1);
          else
            -- Waits for transactions that have linked the organization: their foreign keys hold a lock on it. Later links see the deletion.
            perform from organizations where id = new.id for update;
            delete from organization_tenants where organization_id = new.id;
            perform append_organization_count('00000000-0000-0000-0000-000000000000', -1);
          end if;
          return null;
        end
      $$;
    `.execute(db);
  },
};
