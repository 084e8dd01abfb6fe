import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Sorts file keys by bytes, in the order in which the storage lists them. The storage clean-up reads records in this order by the index. */
export const fileKeys: Migration = {
  async up(db) {
    await sql`alter table attachments alter column file_path type text collate "C"`.execute(db);
  },
};
