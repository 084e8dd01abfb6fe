import { importRetentionDays } from '@profile-service/contracts';
import { deleteOldImports, findUnknownImportFiles } from '@profile-service/db';
import { defineJob, recurring } from './job.ts';

/** Deletes old imports with their files and results, and files without an import: 15 minutes after the first start of a deployment, then every hour. */
export const importCleanup = defineJob({
  name: 'import-cleanup',
  queue: { ...recurring, expireInSeconds: 30 * 60 },
  pollSeconds: 60,
  repeat: { firstAfterSeconds: 15 * 60, everySeconds: 60 * 60 },
  async run(_data, { database, importFiles, signal }) {
    await deleteOldImports(database, importRetentionDays, (filePath) => importFiles.remove(filePath), signal);
    await importFiles.removeUnknown((keys) => findUnknownImportFiles(database, keys));
  },
});
