import { errors, jwtVerify } from 'jose';
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

/** Verifies the access tokens of one issuer, and remembers each until it expires. */
export class TokenVerifier {
  readonly #options: TokenVerifierOptions;
  readonly #remembered = new LRUCache<string, Claims>({ max: rememberedTokens });

  constructor(options: TokenVerifierOptions) {
    this.#options = options;
  }

  /** Gives the claims of a valid token. Throws UNAUTHORIZED, or IDENTITY_PROVIDER_UNAVAILABLE where no keys can be had. */
  async verify(token: string): Promise<Claims> {
    const remembered = this.#remembered.get(token);
    if (remembered) return remembered;
    const { issuer, clientId, audience } = this.#options;
    try {
      const { payload } = await jwtVerify(token, issuer.key, {
        algorithms,
        issuer: issuer.url,
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ['exp', 'sub'],
        ...(audience ? { audience } : {}),
      });
      if (typeof payload.sub !== 'string' || payload.sub === '') throw unauthorized('The token has no subject');
      // Keycloak marks ID, logout and sender-bound tokens by `typ`: none of them is a bearer's access token.
      if (payload['typ'] !== undefined && payload['typ'] !== 'Bearer') throw unauthorized('The token is no access token');
      const claims = readClaims({ ...payload, sub: payload.sub }, clientId);
      const ttl = Number(payload.exp) * 1000 - Date.now();
      if (ttl > 0) this.#remembered.set(token, claims, { ttl });
      return claims;
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      if (error instanceof errors.JWTExpired) throw unauthorized('The token has expired', error);
      if (error instanceof errors.JWTClaimValidationFailed) throw unauthorized(`The token's claim "${error.claim}" is not accepted`, error);
      throw unauthorized('The token is invalid', error);
    }
  }
}

const unauthorized = (detail: string, cause?: unknown): ProblemError => new ProblemError('UNAUTHORIZED', { detail, cause });
