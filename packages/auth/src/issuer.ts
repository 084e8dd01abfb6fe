import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { ProblemError } from '@profile-service/contracts';

const timeoutMs = 5_000;
/** An unknown `kid` makes the keys be fetched again, at most this often. */
const cooldownMs = 5_000;

/** Rewrites an address of the issuer to the one at which the provider is reached from here. */
export type Reach = (address: string) => string;

/** Where keys and admin API are not at the issuer's own address (IDENTITY_INTERNAL_URL). */
export function reachThrough(issuer: string, internalUrl: string | undefined): Reach {
  if (!internalUrl) return (address) => address;
  const publicOrigin = new URL(issuer).origin;
  const internal = internalUrl.replace(/\/+$/, '');
  return (address) => (address.startsWith(publicOrigin) ? internal + address.slice(publicOrigin.length) : address);
}

type KeyLookup = ReturnType<typeof createRemoteJWKSet>;

/** An issuer's public keys: discovered, cached, fetched again on an unknown `kid`, and kept while the provider is away. */
export class Issuer {
  readonly url: string;
  readonly #reach: Reach;
  #keys: KeyLookup | undefined;
  #discovery: Promise<KeyLookup> | undefined;

  constructor(url: string, reach: Reach) {
    this.url = url;
    this.#reach = reach;
  }

  /** Whether the keys have been had once. */
  get ready(): boolean {
    return this.#keys?.jwks() !== undefined;
  }

  /** Fetches the keys again. Throws where the provider cannot be reached; the keys had before stay in use. */
  async refresh(): Promise<void> {
    const keys = await this.#discover();
    await keys.reload();
  }

  /** The key lookup for jose. Throws IDENTITY_PROVIDER_UNAVAILABLE where the keys cannot be had. */
  readonly key: JWTVerifyGetKey = async (header, token) => {
    try {
      const keys = await this.#discover();
      return await keys(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error;
      if (error instanceof errors.JOSENotSupported || error instanceof errors.JWKSInvalid) throw error;
      throw new ProblemError('IDENTITY_PROVIDER_UNAVAILABLE', { cause: error });
    }
  };

  async #discover(): Promise<KeyLookup> {
    if (this.#keys) return this.#keys;
    this.#discovery ??= this.#fetchConfiguration().finally(() => (this.#discovery = undefined));
    return this.#discovery;
  }

  async #fetchConfiguration(): Promise<KeyLookup> {
    const address = this.#reach(`${this.url.replace(/\/$/, '')}/.well-known/openid-configuration`);
    const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
    if (!response.ok) throw new Error(`${address} answered ${response.status}`);
    const { jwks_uri: jwksUri } = (await response.json()) as { jwks_uri?: unknown };
    if (typeof jwksUri !== 'string') throw new Error(`${address} names no jwks_uri`);
    this.#keys = createRemoteJWKSet(new URL(this.#reach(jwksUri)), {
      timeoutDuration: timeoutMs,
      cooldownDuration: cooldownMs,
      // The health check refreshes them; a provider that is away must not make good tokens bad.
      cacheMaxAge: Infinity,
    });
    return this.#keys;
  }
}
