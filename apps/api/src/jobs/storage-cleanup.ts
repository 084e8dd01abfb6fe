import { cleanStorageOnce, type StorageCleanupOptions } from '@profile-service/operations';
import type { Job } from './job.ts';

/** Creates the job that cleans the storage: 5 minutes after the first start of a deployment, then every hour. */
export function storageCleanupJob(options: StorageCleanupOptions): Job<'storage-cleanup'> {
  return {
    name: 'storage-cleanup',
    pollSeconds: 60,
    repeat: { firstAfterSeconds: 5 * 60, everySeconds: 60 * 60 },
    run: async (_data, { signal }) => void (await cleanStorageOnce(options, signal)),
  };
}
