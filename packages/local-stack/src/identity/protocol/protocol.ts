import { redirectAllowed } from '../clients.ts';
import { type Exchange, sendJson } from '../http.ts';
import { login } from '../pages/login.ts';
import type { Realm } from '../realm.ts';
import { configuration } from './configuration.ts';
import { addBrowserHeaders } from './browser-headers.ts';
import { introspect } from './introspection.ts';
import { KeycloakProvider } from './keycloak-provider.ts';
import { addLogout } from './logout.ts';
import { addPasswordGrant } from './password-grant.ts';
import { revoke } from './revocation.ts';
import { useKeycloakResponses } from './token-endpoint.ts';
import { addUserinfo } from './userinfo.ts';

/** The endpoints that need sessions: auth, token, userinfo, logout, revoke, introspect and the login form. */
export interface Protocol {
  /** Handles a request below `/realms/{realm}`. */
  handle(exchange: Exchange): Promise<void>;
}

/** Sets up oidc-provider for a realm. */
export function openProtocol(realm: Realm): Protocol {
  const provider = new KeycloakProvider(realm.issuer, configuration(realm));
  // The library compares exact URIs and does not support Keycloak's wildcards.
  provider.Client.prototype.redirectUriAllowed = function allowed(uri) {
    const client = realm.clients.get(this.clientId);
    return client !== undefined && redirectAllowed(client, uri);
  };
  provider.Client.prototype.postLogoutRedirectUriAllowed = provider.Client.prototype.redirectUriAllowed;
  addBrowserHeaders(provider, realm);
  addPasswordGrant(provider, realm);
  addLogout(provider, realm);
  addUserinfo(provider, realm);
  useKeycloakResponses(provider, realm);
  const handle = provider.callback();
  const prefix = `/realms/${realm.name}`;
  return {
    async handle(exchange) {
      const { req, res, url } = exchange;
      if (url.pathname.startsWith(`${prefix}/login-actions/authenticate/`)) return login(provider, realm, exchange);
      const endpoint = url.pathname.slice(`${prefix}/protocol/openid-connect/`.length);
      if (['token', 'token/introspect', 'revoke'].includes(endpoint) && req.method !== 'POST')
        return sendJson(res, 405, { error: 'HTTP 405 Method Not Allowed' });
      if (endpoint === 'revoke') return revoke(provider, realm, exchange);
      if (endpoint === 'token/introspect') return introspect(provider, realm, exchange);
      // The library derives every URL from originalUrl. Using publicUrl makes it ignore the Host header.
      Object.assign(req, { originalUrl: `${realm.publicUrl}${req.url}`, url: req.url?.slice(prefix.length) });
      await handle(req, res);
    },
  };
}
