export { startPostgres, type EmbeddedPostgres, type PostgresOptions } from './postgres.ts';
export { startStorage, type EmbeddedStorage, type StorageOptions } from './storage/start.ts';
export { type IdentityProvider, startIdentityProvider } from './identity/provider.ts';
