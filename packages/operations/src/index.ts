export { directConnection } from './direct-connection.ts';
export { type CleanupReport, cleanStorage } from './storage-cleanup/clean-storage.ts';
export { cleanStorageOnce, type StorageCleanupOptions } from './storage-cleanup/clean-storage-once.ts';
