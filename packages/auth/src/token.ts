import { errors, jwtVerify, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import { ProblemError } from '@profile-service/contracts';
import { type Claims, readClaims } from './claims.ts';
import type { Issuer } from './issuer.ts';

const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const clockToleranceSeconds = 5;
const rememberedTokens = 5_000;

export interface TokenVerifierOptions {
  issuer: Issuer;
  /** This service's own client: the roles of no other count. */
  clientId: string;
  /** Demanded in `aud` when set. */
  audience?: string | undefined;
}

interface Remembered {
  readonly claims: Claims;
  /** Milliseconds since 1970. */
  readonly until: number;
  /** The keys that the token was verified with: with others it is verified again. */
  readonly keys: Issuer['keys'];
}

/** Verifies the access tokens of one issuer, and remembers each until it expires or the issuer's keys change. */
export class TokenVerifier {
  readonly #options: TokenVerifierOptions;
  readonly #remembered = new LRUCache<string, Remembered>({ max: rememberedTokens });

  constructor(options: TokenVerifierOptions) {
    this.#options = options;
  }

  /**
   * Returns the claims of a valid token, at once when the token is cached.
   * @throws UNAUTHORIZED, or IDENTITY_PROVIDER_UNAVAILABLE when the signing keys cannot be fetched
   */
  verify(token: string): Claims | Promise<Claims> {
    const { keys } = this.#options.issuer;
    const remembered = this.#remembered.get(token);
    if (remembered && remembered.keys === keys && Date.now() < remembered.until) return remembered.claims;
    return this.#verifyAnew(token, keys);
  }

  async #verifyAnew(token: string, keys: Issuer['keys']): Promise<Claims> {
    const payload = await this.#verify(token);
    const claims = readClaims(payload, this.#options.clientId);
    const until = payload.exp * 1000;
    if (Date.now() < until) this.#remembered.set(token, { claims, until, keys });
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
      const { sub, exp } = payload;
      if (typeof sub !== 'string' || sub === '' || exp === undefined) throw unauthorized('The token has no subject');
      // Keycloak marks ID, logout and sender-bound tokens by `typ`: none of them is a bearer's access token.
      if (payload['typ'] !== undefined && payload['typ'] !== 'Bearer') throw unauthorized('The token is no access token');
      return { ...payload, sub, exp };
    } catch (error) {
      throw error instanceof ProblemError ? error : unauthorized(faultOf(error), error);
    }
  }
}

function faultOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired';
  if (!(error instanceof errors.JWTClaimValidationFailed)) return 'The token is invalid';
  return error.reason === 'missing' ? `The token has no claim "${error.claim}"` : `The token's claim "${error.claim}" is not accepted`;
}

const unauthorized = (detail: string, cause?: unknown): ProblemError => new ProblemError('UNAUTHORIZED', { detail, cause });
