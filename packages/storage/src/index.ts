export { StorageConfigurationError } from './configuration-error.ts';
export { createStorage } from './create-storage.ts';
export { createFolderStorage } from './folder/folder-storage.ts';
export { findStorageErrors, namesStorage, type S3Settings, type StorageSettings, storageShape } from './settings.ts';
export type { ByteRange, Storage } from './storage.ts';
