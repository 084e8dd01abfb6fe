import type { ClientConfig, Roles } from './options.ts';

const climbing = /(?:[/\\]|%2f|%5c)(?:\.|%2e){2}(?:[/\\?#]|%2f|%5c|$)/i;

/** A client with everything that its configuration left open decided. */
export interface Client {
  clientId: string;
  /** Absent: a public client. */
  secret?: string;
  redirectUris: string[];
  directAccessGrants: boolean;
  serviceAccountRoles: Roles;
}

/** The realm's clients by id. @throws Error for a confidential client without a secret */
export function registerClients(configs: ClientConfig[]): Map<string, Client> {
  return new Map(configs.map((config) => [config.clientId, registered(config)]));
}

function registered(config: ClientConfig): Client {
  const { clientId, secret, redirectUris = [], directAccessGrants = config.public === true, serviceAccountRoles = {} } = config;
  const client = { clientId, redirectUris, directAccessGrants, serviceAccountRoles };
  if (config.public === true) return client;
  if (secret === undefined) throw new Error(`the client ${clientId} is neither public nor has a secret`);
  return { ...client, secret };
}

/**
 * Whether a client's patterns allow a redirect URI: the same text, or for a pattern with a trailing `*` any text that begins like it,
 * query and fragment aside. As in Keycloak a URI with user info or with `..` in its path is never allowed.
 */
export function redirectAllowed(client: Client, uri: string): boolean {
  const parsed = URL.parse(uri);
  if (parsed === null || parsed.username !== '' || parsed.password !== '' || climbing.test(uri)) return false;
  const bare = uri.replace(/[?#].*$/s, '');
  return client.redirectUris.some((pattern) => {
    if (!pattern.endsWith('*')) return pattern === uri;
    const prefix = pattern.slice(0, -1);
    return bare.startsWith(prefix) || (prefix.endsWith('/') && bare === prefix.slice(0, -1));
  });
}

/** The origins that the client's web pages come from, as Keycloak reckons `webOrigins: ["+"]`. */
export function webOrigins(client: Client): string[] {
  const origins = client.redirectUris.map((pattern) => /^https?:\/\/[^/]+/.exec(pattern)?.[0]).filter((origin) => origin !== undefined);
  return [...new Set(origins)];
}
