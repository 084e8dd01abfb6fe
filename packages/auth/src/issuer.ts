import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { ProblemError } from '@profile-service/contracts';

const timeoutMs = 5_000;
/** Tokens alone make the keys be fetched at most this often, whoever sends how many. */
const cooldownMs = 2_000;

/** Rewrites an address of the issuer to the one at which the provider is reached from here. */
export type UrlRewrite = (address: string) => string;

/** Where keys and admin API are not at the issuer's own address (IDENTITY_INTERNAL_URL). */
export function internalUrlRewrite(issuer: string, internalUrl: string | undefined): UrlRewrite {
  if (!internalUrl) return (address) => address;
  const { origin } = new URL(issuer);
  const internal = internalUrl.replace(/\/+$/, '');
  return (address) => {
    const url = new URL(address);
    return url.origin === origin ? internal + url.pathname + url.search : address;
  };
}

/** The issuer responded with an error status. */
export class IssuerResponseError extends Error {
  override readonly name = 'IssuerResponseError';
  readonly status: number;

  constructor(url: string, status: number) {
    super(`${url} responded with status ${status}`);
    this.status = status;
  }
}

type KeySet = ReturnType<typeof createLocalJWKSet>;

/** An issuer's public keys: discovered, cached, fetched again on an unknown `kid`, and kept while the provider is away. */
export class Issuer {
  readonly url: string;
  readonly #reach: UrlRewrite;
  #keys: KeySet | undefined;
  #published = '';
  #fetching: Promise<void> | undefined;
  #failure: unknown;
  #soughtAt = -Infinity;

  constructor(url: string, reach: UrlRewrite) {
    this.url = url;
    this.#reach = reach;
  }

  /** The keys in use; another object whenever they are others, undefined until they have been had once. */
  get keys(): KeySet | undefined {
    return this.#keys;
  }

  /** Whether the keys have been had once. */
  get ready(): boolean {
    return this.#keys !== undefined;
  }

  /** Fetches the keys. Throws where the provider cannot be reached; the keys had before stay in use. */
  refresh(): Promise<void> {
    this.#fetching ??= this.#fetch().finally(() => (this.#fetching = undefined));
    return this.#fetching;
  }

  /** The key lookup for jose. Throws IDENTITY_PROVIDER_UNAVAILABLE where the keys cannot be had. */
  readonly key: JWTVerifyGetKey = async (header, token) => {
    // A fetch under way may have been asked for before the key was there: one that began later has the last word.
    for (let seeks = 0; ; seeks += 1) {
      try {
        if (this.#keys) return await this.#keys(header, token);
      } catch (error) {
        if (seeks === 2 || !(error instanceof errors.JWKSNoMatchingKey)) throw error;
      }
      await this.#seek();
    }
  };

  /** Fetches the keys on behalf of a token, unless that was done just now. */
  async #seek(): Promise<void> {
    try {
      if (this.#fetching) return await this.#fetching;
      if (performance.now() - this.#soughtAt >= cooldownMs) {
        this.#soughtAt = performance.now();
        return await this.refresh();
      }
    } catch (error) {
      throw new ProblemError('IDENTITY_PROVIDER_UNAVAILABLE', { cause: error });
    }
    // Whether the token is good is for keys to say that could not be had.
    if (this.#failure) throw new ProblemError('IDENTITY_PROVIDER_UNAVAILABLE', { cause: this.#failure });
  }

  async #fetch(): Promise<void> {
    try {
      const configuration = await fetchJson(this.#reach(`${this.url.replace(/\/$/, '')}/.well-known/openid-configuration`));
      const address = (configuration as { jwks_uri?: unknown }).jwks_uri;
      if (typeof address !== 'string') throw new Error(`The configuration of ${this.url} names no jwks_uri`);
      const published = await fetchJson(this.#reach(address));
      const keys = createLocalJWKSet(published as JSONWebKeySet);
      const text = JSON.stringify(published);
      if (text !== this.#published) this.#keys = keys;
      this.#published = text;
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }
}

async function fetchJson(address: string): Promise<unknown> {
  const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
  if (response.ok) return response.json();
  await response.body?.cancel();
  throw new IssuerResponseError(address, response.status);
}
