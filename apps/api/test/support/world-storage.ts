import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { type StoredFiles, storedFiles } from '../../../../test/storage/stored-files.ts';

interface WorldStorage {
  /** The settings with which the service uses it. */
  settings: Record<string, string>;
  /** @param folder the storage folder of the world, which an S3 storage does not use */
  filesIn(folder: string): StoredFiles;
  remove(): Promise<void>;
}

/**
 * Returns the storage of a world: the S3 bucket in the test's own settings, or the folder. In `npm run proof -- storage` a bucket of its own, which the service
 * creates, replaces the folder.
 */
export async function worldStorage(own: Record<string, string>): Promise<WorldStorage> {
  const s3Settings = inject('s3Settings');
  if (!own['STORAGE_ENDPOINT'] && !s3Settings) return { settings: {}, filesIn: storedFiles, remove: async () => undefined };
  // Loads the AWS SDK.
  const { storedObjects } = await import('../../../../test/storage/stored-objects.ts');
  const fresh = { ...s3Settings, STORAGE_BUCKET: `profile-service-test-${randomUUID()}` };
  const settings = { ...(own['STORAGE_ENDPOINT'] ? own : fresh), STORAGE_DIR: '' };
  const { removeBucket, close, ...files } = storedObjects(settings);
  return { settings, filesIn: () => files, remove: own['STORAGE_ENDPOINT'] ? async () => close() : removeBucket };
}
