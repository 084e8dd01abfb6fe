export { type Authenticator, createAuthenticator } from './authenticator.ts';
export { CallerCache } from './caller-cache.ts';
export { activeTenantId, type Caller, type ServiceCaller, type UserCaller } from './caller.ts';
export type { Claims } from './claims.ts';
export { Issuer, internalUrlRewrite } from './issuer.ts';
export { type Decision, may } from './may.ts';
export { RedisConnection } from './redis-connection.ts';
export { SharedCache } from './shared-cache.ts';
export { TokenVerifier } from './token.ts';
