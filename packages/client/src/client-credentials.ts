import type { TokenRequest } from './connection.ts';
import { ProfileError } from './error.ts';
import { connectionFailed, invalidResponse, networkReasonOf } from './error-from.ts';

interface Credentials {
  clientId: string;
  clientSecret: string;
  /** Scopes to request, separated by spaces. */
  scope?: string | undefined;
  /** Used instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** `issuer`: the URL of the realm, whose token endpoint is discovered. `tokenUrl`: the token endpoint. */
export type ClientCredentialsOptions = Credentials & ({ issuer: string; tokenUrl?: undefined } | { tokenUrl: string; issuer?: undefined });

/** A token is renewed this long before it expires, but not before half of its lifetime. */
const renewalSeconds = 30;
/** A request to the provider fails after this time, in milliseconds. All calls wait for it. */
const timeoutMs = 10_000;

interface IssuedToken {
  value: string;
  /** Milliseconds since the epoch. */
  renewAt: number;
}

/**
 * Returns a token source for an application with a client of its own at the identity provider (OAuth 2.0 client credentials, RFC 6749, 4.4).
 * Concurrent calls share a token. It is renewed before it expires, and after the service has rejected it. Fails with TOKEN_FAILED.
 */
export function clientCredentials(options: ClientCredentialsOptions): (request?: TokenRequest) => Promise<string> {
  let issued: Promise<IssuedToken> | undefined;
  let tokenUrl: string | undefined = options.tokenUrl;

  /** Sends a request to the provider, and returns the JSON of its response. */
  async function request(url: string, init?: RequestInit): Promise<Record<string, unknown>> {
    const fail = (error: unknown) => {
      throw tokenFailed(`${url} is unreachable: ${networkReasonOf(error)}`, connectionFailed(error, undefined));
    };
    const response = await (options.fetch ?? globalThis.fetch)(url, { ...init, signal: AbortSignal.timeout(timeoutMs) }).catch(fail);
    const body = parseObject(await response.text().catch(fail));
    if (response.ok) return body;
    const reasons = [body['error'], body['error_description']].filter((reason) => typeof reason === 'string').join(': ');
    // An empty secret is in every text.
    const shown = options.clientSecret ? reasons.replaceAll(options.clientSecret, '***') : reasons;
    throw tokenFailed(`${url} responded with ${response.status}${shown && ` ${shown}`}`, invalidResponse(response));
  }

  async function discover(issuer: string): Promise<string> {
    const url = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`;
    const endpoint = (await request(url))['token_endpoint'];
    if (typeof endpoint !== 'string') throw tokenFailed(`${url} has no token_endpoint`);
    return endpoint;
  }

  async function issue(): Promise<IssuedToken> {
    tokenUrl ??= await discover(options.issuer ?? '');
    const { clientId, clientSecret, scope } = options;
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, ...(scope ? { scope } : {}) };
    const started = Date.now();
    const { access_token: value, expires_in: lifetime = Infinity } = await request(tokenUrl, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    if (typeof value !== 'string') throw tokenFailed(`${tokenUrl} returned no access_token`);
    const seconds = Number(lifetime);
    return { value, renewAt: started + (seconds - Math.min(renewalSeconds, seconds / 2)) * 1000 };
  }

  /** Issues a token for all concurrent calls. A failure is not kept. */
  function renew(): Promise<IssuedToken> {
    const renewal = issue();
    issued = renewal;
    renewal.catch(() => {
      if (issued === renewal) issued = undefined;
    });
    return renewal;
  }

  return async ({ rejected } = {}) => {
    const before = issued;
    const token = await (before ?? renew());
    if (token.value !== rejected && Date.now() < token.renewAt) return token.value;
    // Another call may have begun to renew it meanwhile.
    return (await (issued === before || issued === undefined ? renew() : issued)).value;
  };
}

/** Parses the JSON of an object. Returns an empty one for other texts. */
function parseObject(text: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(text) as object) };
  } catch {
    return {};
  }
}

const tokenFailed = (reason: string, cause?: unknown): ProfileError =>
  new ProfileError({ code: 'TOKEN_FAILED', message: `The token could not be obtained: ${reason}`, cause });
