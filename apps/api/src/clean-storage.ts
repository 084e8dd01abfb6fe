import { connect } from '@profile-service/db';
import { databaseConnections } from './service/database-connections.ts';
import { cleanStorageOnce } from './jobs/storage-cleanup/clean-storage-once.ts';
import { createStorage } from './integrations/storage/create-storage.ts';
import { createLog } from './observability/log.ts';
import { readSettings, SettingsError } from './settings.ts';

/** The command `pnpm storage:clean`: cleans the storage once, with the service's settings. It logs to standard output. */
async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const log = createLog(settings.LOG_LEVEL);
  const database = connect({ ...databaseConnections(settings).direct, max: 1, applicationName: 'profile-service storage:clean' });
  const storage = await createStorage({ settings });
  try {
    const report = await cleanStorageOnce({ database, storage, basePath: settings.STORAGE_BASE_PATH, log });
    if (!report) log.info('another process is cleaning the storage at this moment');
  } finally {
    storage.close();
    await database.close();
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exitCode = 1;
}
