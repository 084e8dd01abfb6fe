export { type Authenticator, createAuthenticator } from './authenticator.ts';
export { CallerCache } from './caller-cache.ts';
export type { Caller, ServiceCaller, UserCaller } from './caller.ts';
export { Issuer, IssuerResponseError, internalUrlRewrite } from './issuer.ts';
export { type Decision, may } from './may.ts';
export { RedisConnection } from './redis-connection.ts';
export { RedisVersionError } from './redis-version.ts';
export { SharedCache } from './shared-cache.ts';
export { TokenVerifier } from './token.ts';
