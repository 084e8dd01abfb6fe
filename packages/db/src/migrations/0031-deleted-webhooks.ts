import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A job deletes the deliveries of deleted webhooks. Before, they were deleted with the webhook: millions of them took longer than a statement may. */
export const deletedWebhooks: Migration = {
  async up(db) {
    await sql`alter table webhook_deliveries drop constraint webhook_deliveries_webhook_id_fkey`.execute(db);
  },
};
