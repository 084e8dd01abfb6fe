import type { ClientConfig, Roles } from './options.ts';

const parentSegment = /(?:[/\\]|%2f|%5c)(?:\.|%2e){2}(?:[/\\?#]|%2f|%5c|$)/i;

/** A client with all defaults of its configuration applied. */
export interface Client {
  clientId: string;
  /** Undefined for a public client. */
  secret?: string;
  redirectUris: string[];
  directAccessGrants: boolean;
  serviceAccountRoles: Roles;
}

/** Returns the realm's clients by id. @throws Error for a confidential client without a secret */
export function registerClients(configs: ClientConfig[]): Map<string, Client> {
  return new Map(configs.map((config) => [config.clientId, register(config)]));
}

function register(config: ClientConfig): Client {
  const { clientId, secret, redirectUris = [], directAccessGrants = config.public === true, serviceAccountRoles = {} } = config;
  const client = { clientId, redirectUris, directAccessGrants, serviceAccountRoles };
  if (config.public === true) return client;
  if (secret === undefined) throw new Error(`The client ${clientId} must be public or have a secret`);
  return { ...client, secret };
}

/**
 * Whether the client's patterns allow a redirect URI. A pattern matches the same text. With a trailing `*` it matches a prefix of the URI
 * without query and fragment. As in Keycloak, a URI with user info or with `..` in its path is never allowed.
 */
export function redirectAllowed(client: Client, uri: string): boolean {
  const parsed = URL.parse(uri);
  if (parsed === null || parsed.username !== '' || parsed.password !== '' || parentSegment.test(uri)) return false;
  const bare = uri.replace(/[?#].*$/s, '');
  return client.redirectUris.some((pattern) => {
    if (!pattern.endsWith('*')) return pattern === uri;
    const prefix = pattern.slice(0, -1);
    return bare.startsWith(prefix) || (prefix.endsWith('/') && bare === prefix.slice(0, -1));
  });
}

/** Whether scripts of an origin may use the client. In an origin of the client, the port `*` is any port, which Keycloak does not support. */
export function originAllowed(client: Client | undefined, origin: string): boolean {
  if (client === undefined) return false;
  return webOrigins(client).some((allowed) =>
    allowed.endsWith(':*') ? origin.startsWith(allowed.slice(0, -1)) && /:\d+$/.test(origin) : allowed === origin,
  );
}

/** Returns the origins of the client's redirect URIs, which Keycloak allows for `webOrigins: ["+"]`. */
export function webOrigins(client: Client): string[] {
  const origins = client.redirectUris.map((pattern) => /^https?:\/\/[^/]+/.exec(pattern)?.[0]).filter((origin) => origin !== undefined);
  return [...new Set(origins)];
}
