import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Sorts the keys by their bytes, as the storage lists them: the storage clean-up reads the records in the same order, by an index. */
export const fileKeys: Migration = {
  async up(db) {
    await sql`alter table attachments alter column file_path type text collate "C"`.execute(db);
  },
};
