export { startPostgres, type EmbeddedPostgres, type PostgresOptions } from './postgres.ts';
export { type Standby, startStandby } from './postgres/standby.ts';
export type { ClientConfig, IdentityProviderOptions, Roles, UserConfig } from './identity/options.ts';
export { type IdentityProvider, startIdentityProvider } from './identity/provider.ts';
export type { FaultMode, Faults } from './identity/faults.ts';
export type { Mail } from './identity/pages/mail.ts';
export type { Person } from './identity/users/user.ts';
