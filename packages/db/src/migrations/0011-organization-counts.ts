import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Counters of live organizations: one for each tenant, and one under the nil UUID for all. Triggers change them in the transaction of the change.
 *
 * A counter is the sum of its rows. A transaction changes a row that no other transaction has locked, or adds a row. So it waits for no other
 * transaction.
 *
 * The counter of a tenant is the number of its links. This works because a deleted organization has no links: its deletion deletes them, and a new link
 * to it is rejected.
 */
export const organizationCounts: Migration = {
  async up(db) {
    await sql`
      -- No change runs between the counting and the commit of the triggers.
      lock table organizations, organization_tenants in share row exclusive mode;
      delete from organization_tenants using organizations
        where organizations.id = organization_id and organizations.deleted_at is not null;

      -- Free space in each page lets PostgreSQL update a row without changing the indexes.
      create table organization_counts (
        id        bigint generated always as identity primary key,
        tenant_id uuid not null,
        count     bigint not null
      ) with (fillfactor = 50);
      create index organization_counts_tenant_id_idx on organization_counts (tenant_id);
      insert into organization_counts (tenant_id, count)
        select '00000000-0000-0000-0000-000000000000', count(*) from organizations where deleted_at is null having count(*) > 0
        union all select tenant_id, count(*) from organization_tenants group by tenant_id;

      create function change_organization_count(counted_tenant_id uuid, change bigint) returns void
        language plpgsql set plan_cache_mode = force_generic_plan as $$
        declare
          free_id bigint;
        begin
          select id into free_id from organization_counts where tenant_id = counted_tenant_id limit 1 for update skip locked;
          if found then
            update organization_counts set count = count + change where id = free_id;
          else
            insert into organization_counts (tenant_id, count) values (counted_tenant_id, change);
          end if;
        end
      $$;

      -- The argument of the next two functions is 1 for new rows, and -1 for old rows.
      create function count_organizations() returns trigger
        language plpgsql set plan_cache_mode = force_generic_plan as $$
        declare
          change bigint := (select tg_argv[0]::bigint * count(*) from changed where deleted_at is null);
        begin
          if change <> 0 then
            perform change_organization_count('00000000-0000-0000-0000-000000000000', change);
          end if;
          return null;
        end
      $$;
      create trigger organizations_inserted after insert on organizations
        referencing new table as changed for each statement execute function count_organizations('1');
      create trigger organizations_removed after delete on organizations
        referencing old table as changed for each statement execute function count_organizations('-1');

      create function count_organization_tenants() returns trigger
        language plpgsql set plan_cache_mode = force_generic_plan as $$
        begin
          if tg_op = 'INSERT' and exists (
            select from changed join organizations on organizations.id = changed.organization_id where organizations.deleted_at is not null
          ) then
            raise foreign_key_violation using
              message = 'A deleted organization cannot be linked to a tenant',
              constraint = 'organization_tenants_organization_id_fkey';
          end if;
          -- Skips the links of a deleted tenant, whose counter is deleted before.
          perform change_organization_count(tenant_id, tg_argv[0]::bigint * count(*))
            from changed join tenants on tenants.id = tenant_id group by tenant_id;
          return null;
        end
      $$;
      create trigger organization_tenants_inserted after insert on organization_tenants
        referencing new table as changed for each statement execute function count_organization_tenants('1');
      create trigger organization_tenants_removed after delete on organization_tenants
        referencing old table as changed for each statement execute function count_organization_tenants('-1');

      create function count_deleted_organization() returns trigger language plpgsql as $$
        begin
          if new.deleted_at is null then
            perform change_organization_count('00000000-0000-0000-0000-000000000000', 1);
          else
            -- Waits for transactions that have linked the organization: their foreign keys hold a lock on it. Later links see the deletion.
            perform from organizations where id = new.id for update;
            delete from organization_tenants where organization_id = new.id;
            perform change_organization_count('00000000-0000-0000-0000-000000000000', -1);
          end if;
          return null;
        end
      $$;
      create trigger organizations_deleted after update of deleted_at on organizations
        for each row when ((old.deleted_at is null) <> (new.deleted_at is null)) execute function count_deleted_organization();

      -- The foreign key has deleted the links of the tenant, and has waited for other transactions that deleted some of them.
      create function forget_deleted_tenant() returns trigger language plpgsql as $$
        begin
          delete from organization_counts where tenant_id in (select id from deleted);
          return null;
        end
      $$;
      create trigger tenants_removed after delete on tenants
        referencing old table as deleted for each statement execute function forget_deleted_tenant();

      create function forget_organization_counts() returns trigger language plpgsql as $$
        begin
          delete from organization_counts
            where (tenant_id = '00000000-0000-0000-0000-000000000000') = (tg_table_name = 'organizations');
          return null;
        end
      $$;
      create trigger organizations_truncated after truncate on organizations
        for each statement execute function forget_organization_counts();
      create trigger organization_tenants_truncated after truncate on organization_tenants
        for each statement execute function forget_organization_counts();
    `.execute(db);
  },
};
