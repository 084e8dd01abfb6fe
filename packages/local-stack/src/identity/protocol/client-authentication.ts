import type { IncomingHttpHeaders } from 'node:http';
import { originAllowed, type Client } from '../clients.ts';
import { originHeaders } from '../cors.ts';
import type { Realm } from '../realm.ts';

/** The client of a request, or Keycloak's error code of the 401 response. */
type Authentication = { client: Client } | { error: 'invalid_client' | 'unauthorized_client' };

/** Authenticates the client of a posted form: by an Authorization header, or by `client_id` and `client_secret` in the form. */
export function authenticateClient(realm: Realm, authorization: string | undefined, form: URLSearchParams): Authentication {
  const basic = /^Basic (\S+)$/i.exec(authorization ?? '')?.[1];
  const [id, secret] = basic === undefined ? [form.get('client_id'), form.get('client_secret')] : credentials(basic);
  const client = realm.clients.get(id ?? '');
  if (client === undefined) return { error: 'invalid_client' };
  return client.secret === undefined || client.secret === secret ? { client } : { error: 'unauthorized_client' };
}

/** The client of a request and the CORS headers of the response, or status and body of Keycloak's error response. */
type Acceptance = { client: Client; headers: Record<string, string> } | { status: number; refusal: object };

/** Authenticates the client of a posted form, and checks that scripts of the request's origin may use the client. */
export function acceptClient(realm: Realm, { authorization, origin }: IncomingHttpHeaders, form: URLSearchParams): Acceptance {
  const authenticated = authenticateClient(realm, authorization, form);
  if ('error' in authenticated) {
    return { status: 401, refusal: { ...authenticated, error_description: 'Invalid client or Invalid client credentials' } };
  }
  const { client } = authenticated;
  if (origin === undefined) return { client, headers: {} };
  return originAllowed(client, origin) ? { client, headers: originHeaders(origin) } : { status: 403, refusal: { error: 'Invalid origin' } };
}

/** Returns id and secret of a Basic header; an empty list if their percent-encoding is invalid. */
function credentials(basic: string): string[] {
  const text = Buffer.from(basic, 'base64').toString();
  const colon = text.indexOf(':');
  try {
    return [text.slice(0, colon), text.slice(colon + 1)].map((part) => decodeURIComponent(part));
  } catch {
    return [];
  }
}
