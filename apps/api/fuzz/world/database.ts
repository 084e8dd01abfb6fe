import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from '@profile-service/db';
import { startPostgres } from '@profile-service/local-stack';
import { fastFolder } from '../../../../test/fast-folder.ts';

/** Starts a migrated database of its own, in memory where there is enough of it. */
export async function startDatabase(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(await fastFolder(), 'profile-service-fuzz-'));
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  const postgres = await startPostgres({ dataDir: folder, settings });
  await migrate(postgres.url);
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop();
      await rm(folder, { recursive: true });
    },
  };
}
