import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EmbeddedPostgres, startPostgres } from '@profile-service/local-stack';
import { fastFolder } from './fast-folder.ts';

/**
 * Starts an empty PostgreSQL without crash safety, which makes it fast. `stop` deletes its data.
 * @param run part of the folder's name
 * @param settings server settings, besides those that make it fast
 */
export async function startFastPostgres(run: string, settings: Record<string, string> = {}): Promise<EmbeddedPostgres> {
  const dataDir = await mkdtemp(join(await fastFolder(), `profile-service-${run}-`));
  const fast = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  const postgres = await startPostgres({ dataDir, settings: { ...fast, ...settings } });
  return {
    ...postgres,
    async stop() {
      await postgres.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}
