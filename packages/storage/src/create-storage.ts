import { createFolderStorage } from './folder/folder-storage.ts';
import { observeStorage, type OnCall, type TraceCall } from './observe-storage.ts';
import type { StorageSettings } from './settings.ts';
import type { Storage } from './storage.ts';

export interface StorageOptions {
  settings: StorageSettings;
  /** Called after each storage operation, for the metrics. */
  onCall?: OnCall;
  /** Runs each storage operation, for traces. */
  trace?: TraceCall | undefined;
  /** Called after the check has created the bucket of S3. */
  onBucketCreated?: () => void;
}

/** Creates a folder storage if STORAGE_DIR is set, otherwise an S3 storage. */
export async function createStorage({ settings, onCall = () => undefined, trace, onBucketCreated }: StorageOptions): Promise<Storage> {
  return observeStorage(await createUnobserved(settings, onBucketCreated), onCall, trace);
}

/** Loads the AWS SDK only for an S3 storage: it takes 16 MB of memory. */
async function createUnobserved(settings: StorageSettings, onBucketCreated?: () => void): Promise<Storage> {
  if (settings.STORAGE_DIR !== undefined) return createFolderStorage(settings.STORAGE_DIR, settings.ATTACHMENT_MAX_BYTES);
  const { createS3Storage } = await import('./s3/s3-storage.ts');
  return createS3Storage(settings, onBucketCreated);
}
