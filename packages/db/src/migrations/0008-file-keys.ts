import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The storage lists its keys in the order of their bytes: in the same order, and by an index, the janitor goes through the records. */
export const fileKeys: Migration = {
  async up(db) {
    await sql`alter table attachments alter column file_path type text collate "C"`.execute(db);
  },
};
