import type { Settings } from '../../settings.ts';
import { createFolderStorage } from './folder/folder-storage.ts';
import { observeStorage, type OnCall } from './observe-storage.ts';
import { createS3Storage } from './s3/s3-storage.ts';
import type { Storage } from './storage.ts';

export interface StorageOptions {
  settings: Settings;
  /** Called after each storage operation, for the metrics. */
  onCall?: OnCall;
}

/** Creates a folder storage if STORAGE_DIR is set, otherwise an S3 storage. */
export function createStorage({ settings, onCall = () => undefined }: StorageOptions): Storage {
  const storage =
    settings.STORAGE_DIR === undefined
      ? createS3Storage(settings)
      : createFolderStorage(settings.STORAGE_DIR, settings.ATTACHMENT_MAX_BYTES);
  return observeStorage(storage, onCall);
}
