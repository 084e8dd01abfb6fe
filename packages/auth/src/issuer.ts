import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { ProblemError } from '@profile-service/contracts';

const timeoutMs = 5_000;
/** Shortest time between two fetches that unknown keys in tokens cause. */
const cooldownMs = 2_000;

/** Maps a URL of the issuer to the URL that this service uses. */
export type UrlRewrite = (url: string) => string;

/** Replaces the issuer's origin by IDENTITY_INTERNAL_URL, where containers reach keys and admin API. */
export function internalUrlRewrite(issuer: string, internalUrl: string | undefined): UrlRewrite {
  if (!internalUrl) return (url) => url;
  const { origin } = new URL(issuer);
  const internal = internalUrl.replace(/\/+$/, '');
  return (given) => {
    const url = new URL(given);
    return url.origin === origin ? internal + url.pathname + url.search : given;
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

/** Fetches and caches an issuer's public keys. Fetches them again for an unknown `kid`, and keeps them while the provider is unavailable. */
export class Issuer {
  readonly url: string;
  readonly #rewrite: UrlRewrite;
  #keys: KeySet | undefined;
  #published = '';
  #fetching: Promise<void> | undefined;
  #failure: unknown;
  #refetchedAt = -Infinity;

  constructor(url: string, rewrite: UrlRewrite) {
    this.url = url;
    this.#rewrite = rewrite;
  }

  /** The current keys; a new object when they change, undefined until the first fetch. */
  get keys(): KeySet | undefined {
    return this.#keys;
  }

  /** Whether the keys were fetched at least once. */
  get ready(): boolean {
    return this.#keys !== undefined;
  }

  /** Fetches the keys. Rejects when that fails; the keys fetched before stay in use. */
  refresh(): Promise<void> {
    this.#fetching ??= this.#fetch().finally(() => (this.#fetching = undefined));
    return this.#fetching;
  }

  /** The key lookup for jose. Throws IDENTITY_PROVIDER_UNAVAILABLE when the keys cannot be fetched. */
  readonly key: JWTVerifyGetKey = async (header, token) => {
    // A fetch that is already running may have begun before the key was published, so a second one decides.
    for (let fetches = 0; ; fetches += 1) {
      try {
        if (this.#keys) return await this.#keys(header, token);
      } catch (error) {
        if (fetches === 2 || !(error instanceof errors.JWKSNoMatchingKey)) throw error;
      }
      await this.#refetch();
    }
  };

  /** Fetches the keys because of a token, unless a token caused a fetch less than `cooldownMs` ago. */
  async #refetch(): Promise<void> {
    try {
      if (this.#fetching) return await this.#fetching;
      if (performance.now() - this.#refetchedAt >= cooldownMs) {
        this.#refetchedAt = performance.now();
        return await this.refresh();
      }
    } catch (error) {
      throw new ProblemError('IDENTITY_PROVIDER_UNAVAILABLE', { cause: error });
    }
    // The token may be valid: its key may be among those that could not be fetched.
    if (this.#failure) throw new ProblemError('IDENTITY_PROVIDER_UNAVAILABLE', { cause: this.#failure });
  }

  async #fetch(): Promise<void> {
    try {
      const configuration = await fetchJson(this.#rewrite(`${this.url.replace(/\/$/, '')}/.well-known/openid-configuration`));
      const url = (configuration as { jwks_uri?: unknown }).jwks_uri;
      if (typeof url !== 'string') throw new Error(`The configuration of ${this.url} names no jwks_uri`);
      const published = await fetchJson(this.#rewrite(url));
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

async function fetchJson(url: string): Promise<unknown> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
  if (response.ok) return response.json();
  await response.body?.cancel();
  throw new IssuerResponseError(url, response.status);
}
