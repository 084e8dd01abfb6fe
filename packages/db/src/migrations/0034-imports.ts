import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Imports: files of records, what became of each row, and what dry runs would have created. */
export const imports: Migration = {
  async up(db) {
    await sql`
      create table imports (
        id           uuid primary key,
        type         text not null,
        format       text not null check (format in ('csv', 'ndjson')),
        -- Null: found from the header.
        delimiter    text,
        mode         text not null check (mode in ('create', 'upsert')),
        dry_run      boolean not null,
        file_name    text not null,
        -- The key of the file in the storage.
        file_path    text not null,
        status       text not null default 'QUEUED' check (status in ('QUEUED', 'RUNNING', 'COMPLETED', 'CANCELLED', 'FAILED')),
        code         text,
        message      text,
        rows         integer,
        processed    integer not null default 0,
        created      integer not null default 0,
        updated      integer not null default 0,
        unchanged    integer not null default 0,
        failed       integer not null default 0,
        created_by   uuid not null references users,
        -- The active tenant of the upload. An import ends with its tenant.
        tenant_id    uuid references tenants on delete cascade,
        -- The claims of the token of the upload, from which access is decided again.
        claims       jsonb not null,
        created_at   timestamptz(3) not null default now(),
        started_at   timestamptz(3),
        finished_at  timestamptz(3)
      );
      create index imports_tenant_idx on imports (tenant_id, id);
      create index imports_created_by_idx on imports (created_by);
      create index imports_unfinished_idx on imports (id) where finished_at is null;
      create index imports_finished_at_idx on imports (finished_at) where finished_at is not null;

      create table import_results (
        import_id  uuid not null references imports on delete cascade,
        row        integer not null,
        status     text not null check (status in ('CREATED', 'UPDATED', 'UNCHANGED', 'FAILED')),
        -- The id of the record.
        record_id  text,
        code       text,
        errors     jsonb,
        primary key (import_id, row)
      );

      -- Stores the results of the next rows, and counts them. False if the import has ended, or if another process has done these rows.
      create function save_import_results(import uuid, processed_before integer, results jsonb) returns boolean language plpgsql as $$
        begin
          update imports set
            processed = processed + jsonb_array_length(results),
            created = created + (select count(*) from jsonb_array_elements(results) as result where result ->> 'status' = 'CREATED'),
            updated = updated + (select count(*) from jsonb_array_elements(results) as result where result ->> 'status' = 'UPDATED'),
            unchanged = unchanged + (select count(*) from jsonb_array_elements(results) as result where result ->> 'status' = 'UNCHANGED'),
            failed = failed + (select count(*) from jsonb_array_elements(results) as result where result ->> 'status' = 'FAILED')
            where id = import and processed = processed_before and status = 'RUNNING';
          if not found then
            return false;
          end if;
          insert into import_results (import_id, row, status, record_id, code, errors)
            select import, result.row, result.status, result.id, result.code, nullif(result.errors, '[]')
            from jsonb_to_recordset(results) as result (row integer, status text, id text, code text, errors jsonb);
          return true;
        end
      $$;

      -- What earlier rows of a dry run would have stored, by a value that later rows have too.
      create table import_dry_run_records (
        import_id  uuid not null references imports on delete cascade,
        key        text not null,
        row        integer not null,
        input      jsonb not null,
        primary key (import_id, key)
      );
    `.execute(db);
  },
};
