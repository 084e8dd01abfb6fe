import { adminApi } from './admin/admin-api.ts';
import { answerPreflight } from './cors.ts';
import { certs, discovery, realmInformation } from './discovery.ts';
import { faultArea, injectFault } from './faults.ts';
import { sendJson, type Exchange } from './http.ts';
import { actionToken } from './pages/account-actions.ts';
import { sessionStatus } from './pages/session-status.ts';
import type { Protocol } from './protocol/protocol.ts';
import type { Realm } from './realm.ts';

const protocolPath = /^\/(?:protocol\/openid-connect\/(?:auth|token|userinfo|logout|revoke)|login-actions\/authenticate)(?:\/|$)/;

/** Routes every request to its handler, or makes it fail if a fault is injected. */
export function router(realm: Realm): (exchange: Exchange) => Promise<void> {
  let protocol: Promise<Protocol> | undefined;
  // oidc-provider takes 200 ms to load. Tests that only sign tokens and publish keys never load it.
  const openProtocol = (): Promise<Protocol> =>
    (protocol ??= import('./protocol/protocol.ts').then((module) => module.openProtocol(realm)));
  const prefix = `/realms/${realm.name}`;

  return async (exchange) => {
    const { req, res, url } = exchange;
    const path = url.pathname;
    const area = faultArea(path);
    if (injectFault(realm.faults.all, req, res) || (area !== undefined && injectFault(realm.faults[area], req, res))) return;
    const inRealm = path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : '';
    if (answerPreflight(exchange, inRealm)) return;
    if (path === '/mailbox' || path === '/mailbox.json') realm.mailbox.show(exchange);
    else if (path.startsWith('/admin/realms/')) await adminApi(realm, exchange);
    else if (path === prefix) realmInformation(realm, exchange);
    else if (inRealm === '/.well-known/openid-configuration') discovery(realm, exchange);
    else if (inRealm === '/protocol/openid-connect/certs') certs(realm, exchange);
    else if (inRealm === '/login-actions/action-token') await actionToken(realm, exchange);
    else if (protocolPath.test(inRealm)) await (await openProtocol()).handle(exchange);
    else if (path.startsWith('/realms/') && inRealm === '') sendJson(res, 404, { error: 'Realm does not exist' });
    else if (!sessionStatus(realm, exchange, inRealm)) sendJson(res, 404, { error: 'HTTP 404 Not Found' });
  };
}
