import { cleanStorageOnce } from '@profile-service/operations';
import { defineJob, recurring } from './job.ts';

/** Cleans the storage: 5 minutes after the first start of a deployment, then every hour. Cleaning a large storage can take hours. */
export const storageCleanup = defineJob({
  name: 'storage-cleanup',
  queue: { ...recurring, expireInSeconds: 12 * 3_600, heartbeatSeconds: 60 },
  pollSeconds: 60,
  repeat: { firstAfterSeconds: 5 * 60, everySeconds: 60 * 60 },
  run: async (_data, { signal, ...dependencies }) => void (await cleanStorageOnce(dependencies, signal)),
});
