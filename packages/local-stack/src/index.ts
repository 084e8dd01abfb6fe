export { startPostgres, type EmbeddedPostgres, type PostgresOptions } from './postgres.ts';
