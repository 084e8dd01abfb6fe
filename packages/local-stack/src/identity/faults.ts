import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendJson, serverError } from './http.ts';

/** none: works; refuse: the connection is closed without an answer; hang: no answer ever comes; 500: answers 500. */
export type FaultMode = 'none' | 'refuse' | 'hang' | '500';

/** What fails, and how; may be set at any time and counts for the requests that come after. */
export interface Faults {
  /** Every request. */
  all: FaultMode;
  /** The admin API. */
  admin: FaultMode;
  /** The token endpoint. */
  token: FaultMode;
  /** Discovery and the public keys. */
  keys: FaultMode;
  /** The mail server behind the provider: refuse and 500 both make the provider answer 500, as Keycloak does. */
  mail: FaultMode;
}

/** All parts work, but for those given. */
export function faultsWith(given: Partial<Faults> = {}): Faults {
  return { all: 'none', admin: 'none', token: 'none', keys: 'none', mail: 'none', ...given };
}

/** Which switch besides `all` governs a path of the provider. */
export function faultArea(path: string): 'admin' | 'token' | 'keys' | undefined {
  if (path.startsWith('/admin/')) return 'admin';
  if (path.endsWith('/protocol/openid-connect/token')) return 'token';
  if (path.endsWith('/protocol/openid-connect/certs') || path.endsWith('/.well-known/openid-configuration')) return 'keys';
  return undefined;
}

/** Lets a request fail in the given mode. Returns false when nothing is to fail and the request is still to be answered. */
export function failed(mode: FaultMode, req: IncomingMessage, res: ServerResponse): boolean {
  if (mode === 'refuse') req.socket.destroy();
  if (mode === '500') sendJson(res, 500, serverError);
  return mode !== 'none';
}
