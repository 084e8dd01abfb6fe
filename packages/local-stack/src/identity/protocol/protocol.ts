import { Provider } from 'oidc-provider';
import { redirectAllowed } from '../clients.ts';
import { type Exchange, sendJson } from '../http.ts';
import { login } from '../pages/login.ts';
import type { Realm } from '../realm.ts';
import { configuration } from './configuration.ts';
import { addLogout } from './logout.ts';
import { addPasswordGrant } from './password-grant.ts';
import { useKeycloakResponses } from './token-endpoint.ts';

/** The endpoints that oidc-provider implements: auth, token, userinfo, logout and the login form. */
export interface Protocol {
  /** Handles a request below `/realms/{realm}`. */
  handle(exchange: Exchange): Promise<void>;
}

/** Sets up oidc-provider for a realm. */
export function openProtocol(realm: Realm): Protocol {
  const provider = new Provider(realm.issuer, configuration(realm));
  // The library compares exact URIs and does not support Keycloak's wildcards.
  provider.Client.prototype.redirectUriAllowed = function allowed(uri) {
    const client = realm.clients.get(this.clientId);
    return client !== undefined && redirectAllowed(client, uri);
  };
  provider.Client.prototype.postLogoutRedirectUriAllowed = provider.Client.prototype.redirectUriAllowed;
  addPasswordGrant(provider, realm);
  addLogout(provider, realm);
  useKeycloakResponses(provider, realm);
  const handle = provider.callback();
  const prefix = `/realms/${realm.name}`;
  return {
    async handle(exchange) {
      const { req, res, url } = exchange;
      if (url.pathname.startsWith(`${prefix}/login-actions/authenticate/`)) return login(provider, realm, exchange);
      const isPostOnly = url.pathname === `${prefix}/protocol/openid-connect/token`;
      if (isPostOnly && !['POST', 'OPTIONS'].includes(req.method ?? ''))
        return sendJson(res, 405, { error: 'HTTP 405 Method Not Allowed' });
      // The library derives every URL from originalUrl. Using publicUrl makes it ignore the Host header.
      Object.assign(req, { originalUrl: `${realm.publicUrl}${req.url}`, url: req.url?.slice(prefix.length) });
      await handle(req, res);
    },
  };
}
