import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendJson, serverError } from './http.ts';

/** How requests fail. `refuse` closes the connection without a response, `hang` never responds, `500` responds with status 500. */
export type FaultMode = 'none' | 'refuse' | 'hang' | '500';

/** The faults to inject. A change applies to all requests after it. */
export interface Faults {
  /** Every request. */
  all: FaultMode;
  /** The admin API. */
  admin: FaultMode;
  /** The token endpoint. */
  token: FaultMode;
  /** Discovery and the public keys. */
  keys: FaultMode;
  /** The mail server behind the provider. With `refuse` and `500` the provider responds with 500, as Keycloak does. */
  mail: FaultMode;
}

/** Returns faults with `none` for every area that is not given. */
export function faultsWith(given: Partial<Faults> = {}): Faults {
  return { all: 'none', admin: 'none', token: 'none', keys: 'none', mail: 'none', ...given };
}

/** Returns the area, besides `all`, to which a path belongs. */
export function faultArea(path: string): 'admin' | 'token' | 'keys' | undefined {
  if (path.startsWith('/admin/')) return 'admin';
  if (path.endsWith('/protocol/openid-connect/token')) return 'token';
  if (path.endsWith('/protocol/openid-connect/certs') || path.endsWith('/.well-known/openid-configuration')) return 'keys';
  return undefined;
}

/** Makes a request fail in the given mode. Returns false for `none`: the request still needs its response. */
export function injectFault(mode: FaultMode, req: IncomingMessage, res: ServerResponse): boolean {
  if (mode === 'refuse') req.socket.destroy();
  if (mode === '500') sendJson(res, 500, serverError);
  return mode !== 'none';
}
