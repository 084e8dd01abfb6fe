import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EmbeddedPostgres, startPostgres } from '@profile-service/local-stack';
import { fastFolder } from './fast-folder.ts';

/**
 * Starts an empty PostgreSQL that keeps nothing: quick, since no crash has to be survived, and removed when it stops.
 * @param run named by the folder
 * @param settings of the server, beside those that make it quick
 */
export async function startFastPostgres(run: string, settings: Record<string, string> = {}): Promise<EmbeddedPostgres> {
  const dataDir = await mkdtemp(join(await fastFolder(), `profile-service-${run}-`));
  const quick = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  const postgres = await startPostgres({ dataDir, settings: { ...quick, ...settings } });
  return {
    ...postgres,
    async stop() {
      await postgres.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}
