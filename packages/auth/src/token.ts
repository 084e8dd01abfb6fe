import { errors, jwtVerify, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { ProblemError } from '@profile-service/contracts';
import { type Claims, readClaims } from './claims.ts';
import type { Issuer } from './issuer.ts';

const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'];
/** How far the clocks of the issuer and of this machine may differ. */
export const clockToleranceSeconds = 5;
const maxCachedTokens = 5_000;

export interface TokenVerifierOptions {
  issuer: Issuer;
  /** This service's own client. Roles of other clients are ignored. */
  clientId: string;
  /** The value that `aud` must contain; undefined accepts any audience. */
  audience?: string | undefined;
}

/** The claims of a token that was verified. */
interface CachedToken {
  readonly token: string;
  readonly claims: Claims;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** The keys that verified the token. With other keys it is verified again. */
  readonly keys: Issuer['keys'];
}

/** The end of a token, which is part of its signature. It is the key of the cache: hashing a whole token takes 2 % of a short request. */
const cacheKeyOf = (token: string): string => token.slice(-40);

/** Verifies the access tokens of one issuer. Caches the claims of each token until it expires or the issuer's keys change. */
export class TokenVerifier {
  readonly #options: TokenVerifierOptions;
  readonly #cache: LRUCache<string, CachedToken>;

  constructor(options: TokenVerifierOptions) {
    this.#options = options;
    this.#cache = new LRUCache({ max: maxCachedTokens });
  }

  /**
   * @returns the claims of a valid token, without a promise when they are cached
   * @throws UNAUTHORIZED, or IDENTITY_PROVIDER_UNAVAILABLE when the keys cannot be fetched
   */
  verify(token: string): Claims | Promise<Claims> {
    const { keys } = this.#options.issuer;
    const cached = this.#cache.get(cacheKeyOf(token));
    if (cached && cached.token === token && cached.keys === keys && Date.now() < cached.expiresAt) return cached.claims;
    return this.#verifyAndCache(token, keys);
  }

  async #verifyAndCache(token: string, keys: Issuer['keys']): Promise<Claims> {
    const payload = await this.#verify(token);
    const claims = readClaims(payload, this.#options.clientId);
    const expiresAt = payload.exp * 1000;
    if (Date.now() < expiresAt) this.#cache.set(cacheKeyOf(token), { token, claims, expiresAt, keys });
    return claims;
  }

  async #verify(token: string): Promise<JWTPayload & { sub: string; exp: number }> {
    const { issuer, audience } = this.#options;
    try {
      const { payload } = await jwtVerify(token, issuer.key, {
        algorithms,
        issuer: issuer.url,
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ['exp', 'sub'],
        ...(audience ? { audience } : {}),
      });
      const { sub, azp, exp } = payload;
      if (!isIdentifier(sub)) throw unauthorized(notAccepted('sub'));
      if (azp !== undefined && !isIdentifier(azp)) throw unauthorized(notAccepted('azp'));
      // JSON.parse returns Infinity for numbers above 1.8 * 10^308.
      if (exp === undefined || exp === Infinity) throw unauthorized(notAccepted('exp'));
      // Keycloak sets another `typ` in ID, logout and sender-bound tokens. They are not bearer access tokens.
      if (payload['typ'] !== undefined && payload['typ'] !== 'Bearer') throw unauthorized('The token is no access token');
      return { ...payload, sub, exp };
    } catch (error) {
      // Other errors say nothing about the token, for example that the provider's key is unusable.
      throw error instanceof errors.JOSEError ? unauthorized(faultOf(error), error) : error;
    }
  }
}

/** Whether a claim can identify a user or a client (D-170). PostgreSQL stores neither NUL nor half a surrogate pair. */
const isIdentifier = (claim: unknown): claim is string => typeof claim === 'string' && /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(claim);

function faultOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired';
  if (!(error instanceof errors.JWTClaimValidationFailed)) return 'The token is invalid.';
  return error.reason === 'missing' ? `The token has no claim "${error.claim}"` : notAccepted(error.claim);
}

const notAccepted = (claim: string): string => `The token's claim "${claim}" is not accepted`;

const unauthorized = (detail: string, cause?: unknown): ProblemError => new ProblemError('UNAUTHORIZED', { detail, cause });
