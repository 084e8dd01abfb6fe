import { connect } from '@profile-service/db';
import { createStorage } from '@profile-service/storage';
import { pino } from 'pino';
import { directConnection } from '../direct-connection.ts';
import { readDataSettings, SettingsError } from '../settings.ts';
import { cleanStorageOnce } from '../storage-cleanup/clean-storage-once.ts';

/** The command `pnpm storage:clean`: cleans the storage once, with the service's settings. It logs to standard output. */
async function main(): Promise<void> {
  const settings = readDataSettings(process.env);
  const log = pino({ level: settings.LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime });
  const database = connect({ ...directConnection(settings), max: 1, applicationName: 'profile-service storage:clean' });
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
