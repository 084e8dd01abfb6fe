import { Provider } from 'oidc-provider';
import { redirectAllowed } from '../clients.ts';
import type { Exchange } from '../http.ts';
import { login } from '../pages/login.ts';
import type { Realm } from '../realm.ts';
import { configuration } from './configuration.ts';
import { addLogout } from './logout.ts';
import { addPasswordGrant } from './password-grant.ts';
import { speakAsKeycloak } from './token-endpoint.ts';

/** The endpoints that the protocol library stands behind: auth, token, userinfo, logout and the login form. */
export interface Protocol {
  /** Answers a request whose path is below `/realms/{realm}`. */
  handle(exchange: Exchange): Promise<void>;
}

/** Sets the protocol library up for a realm. */
export function openProtocol(realm: Realm): Protocol {
  const provider = new Provider(realm.issuer, configuration(realm));
  // Keycloak's wildcards are no URIs, so the library's own comparison can't know them.
  provider.Client.prototype.redirectUriAllowed = function allowed(uri) {
    const client = realm.clients.get(this.clientId);
    return client !== undefined && redirectAllowed(client, uri);
  };
  provider.Client.prototype.postLogoutRedirectUriAllowed = provider.Client.prototype.redirectUriAllowed;
  addPasswordGrant(provider, realm);
  addLogout(provider, realm);
  speakAsKeycloak(provider, realm);
  const answer = provider.callback();
  const prefix = `/realms/${realm.name}`;
  return {
    async handle(exchange) {
      const { req, res, url } = exchange;
      if (url.pathname.startsWith(`${prefix}/login-actions/authenticate/`)) return login(provider, realm, exchange);
      // The library builds every address on originalUrl: here the public one, whatever the Host header says.
      Object.assign(req, { originalUrl: `${realm.publicUrl}${req.url}`, url: req.url?.slice(prefix.length) });
      await answer(req, res);
    },
  };
}
