import { setTimeout as pause } from 'node:timers/promises';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { ProblemError } from '@profile-service/contracts';
import { type TraceCall, untraced } from './trace-call.ts';

/** Default of `IssuerOptions.timeoutMs`. */
const defaultTimeoutMs = 5_000;
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

/** The provider's configuration names another issuer than the tokens must have. */
export class IssuerMismatchError extends Error {
  override readonly name = 'IssuerMismatchError';

  constructor(expected: string, published: unknown) {
    super(`The configuration of ${expected} names the issuer ${String(published)}`);
  }
}

export interface IssuerOptions {
  /** Time limit of one request, in milliseconds; default 5,000. A fetch of the keys takes two requests. */
  timeoutMs?: number;
  /** Runs each fetch, for traces. */
  trace?: TraceCall | undefined;
}

type KeySet = ReturnType<typeof createLocalJWKSet>;

/** Fetches and caches an issuer's public keys. Fetches them again for an unknown `kid`, and keeps them while the provider is unavailable. */
export class Issuer {
  readonly url: string;
  readonly #rewrite: UrlRewrite;
  readonly #trace: TraceCall;
  readonly #timeoutMs: number;
  #keys: KeySet | undefined;
  #published = '';
  #fetching: Promise<void> | undefined;
  #failure: Error | undefined;
  /** Number of fetches that have begun. */
  #fetches = 0;
  /** Number of the fetch of the current keys. */
  #keysOfFetch = 0;
  #refetchedAt = -Infinity;
  #nextRefetch: Promise<void> | undefined;

  constructor(url: string, rewrite: UrlRewrite, { timeoutMs = defaultTimeoutMs, trace = untraced }: IssuerOptions = {}) {
    this.url = url;
    this.#rewrite = rewrite;
    this.#trace = trace;
    this.#timeoutMs = timeoutMs;
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
    this.#fetching ??= this.#trace('keys', () => this.#fetch()).finally(() => (this.#fetching = undefined));
    return this.#fetching;
  }

  /** The key lookup for jose. Throws IDENTITY_PROVIDER_UNAVAILABLE when the keys cannot be fetched. */
  readonly key: JWTVerifyGetKey = async (header, token) => {
    const earlierFetches = this.#fetches;
    for (;;) {
      try {
        if (this.#keys) return await this.#keys(header, token);
      } catch (error) {
        // The provider publishes a key before it signs with it, so a fetch that began after the token arrived decides.
        if (this.#keysOfFetch > earlierFetches || !(error instanceof errors.JWKSNoMatchingKey)) throw error;
      }
      await this.#refetch();
    }
  };

  /** Waits for a fetch of the keys: the running one, or one that all tokens share. It begins `cooldownMs` after the previous one. */
  async #refetch(): Promise<void> {
    try {
      const waitMs = this.#refetchedAt + cooldownMs - performance.now();
      // An outage must not delay responses: a fetch takes as long as its timeout if the provider does not respond.
      if (this.#failure && (this.#fetching || waitMs > 0)) throw this.#failure;
      if (this.#fetching) return await this.#fetching;
      this.#nextRefetch ??= this.#refetchAfter(waitMs).finally(() => (this.#nextRefetch = undefined));
      await this.#nextRefetch;
    } catch (error) {
      // The token may be valid: its key may be among those that could not be fetched.
      throw new ProblemError('IDENTITY_PROVIDER_UNAVAILABLE', { cause: error });
    }
  }

  async #refetchAfter(waitMs: number): Promise<void> {
    if (waitMs > 0) await pause(waitMs, undefined, { ref: false });
    this.#refetchedAt = performance.now();
    // A running fetch may have begun before the key was published.
    await this.#fetching?.catch(() => undefined);
    await this.refresh();
  }

  async #fetch(): Promise<void> {
    const number = (this.#fetches += 1);
    try {
      const configuration = await fetchJson(
        this.#rewrite(`${this.url.replace(/\/$/, '')}/.well-known/openid-configuration`),
        this.#timeoutMs,
      );
      const { issuer, jwks_uri: url } = configuration as { issuer?: unknown; jwks_uri?: unknown };
      // A provider without a fixed host name, such as Keycloak without KC_HOSTNAME, names the URL of the request.
      if (issuer !== this.url && issuer !== this.#rewrite(this.url)) throw new IssuerMismatchError(this.url, issuer);
      if (typeof url !== 'string') throw new Error(`The configuration of ${this.url} names no jwks_uri`);
      const published = await fetchJson(this.#rewrite(url), this.#timeoutMs);
      const keys = createLocalJWKSet(published as JSONWebKeySet);
      const text = JSON.stringify(published);
      if (text !== this.#published) this.#keys = keys;
      this.#published = text;
      this.#keysOfFetch = number;
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error as Error;
      throw error;
    }
  }
}

async function fetchJson(url: string, timeoutMs: number): Promise<unknown> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
  if (response.ok) return response.json();
  await response.body?.cancel();
  throw new IssuerResponseError(url, response.status);
}
