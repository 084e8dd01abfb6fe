import { sendEmpty, type Exchange } from './http.ts';

/** The methods of the endpoints that scripts of other origins may call. */
const methods: Record<string, string> = {
  '/.well-known/openid-configuration': 'GET',
  '/protocol/openid-connect/certs': 'GET',
  '/protocol/openid-connect/token': 'POST, OPTIONS',
  '/protocol/openid-connect/revoke': 'POST, OPTIONS',
  '/protocol/openid-connect/userinfo': 'GET, HEAD, OPTIONS',
  '/protocol/openid-connect/logout': 'GET, HEAD, OPTIONS',
};

const requestHeaders = [
  'Origin',
  'Accept',
  'X-Requested-With',
  'Access-Control-Request-Method',
  'Access-Control-Request-Headers',
  'DPoP',
  'Content-Type',
  'Authorization',
].join(', ');

/**
 * Responds to a preflight request, and returns whether it was one. As in Keycloak, every origin passes: the request that follows names the
 * client, whose origins decide.
 * @param path below `/realms/{realm}`
 */
export function answerPreflight({ req, res }: Exchange, path: string): boolean {
  const [allowed, { origin }] = [methods[path], req.headers];
  if (req.method !== 'OPTIONS' || allowed === undefined || origin === undefined) return false;
  sendEmpty(res, 200, {
    ...originHeaders(origin),
    'access-control-allow-methods': allowed,
    'access-control-allow-headers': requestHeaders,
    'access-control-max-age': '3600',
  });
  return true;
}

/** Returns the headers that let scripts of an origin read a response that was requested with cookies. */
export function originHeaders(origin: string): Record<string, string> {
  return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', vary: 'Origin' };
}
