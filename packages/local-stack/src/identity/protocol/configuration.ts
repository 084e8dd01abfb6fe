import { interactionPolicy, type ClientMetadata, type Configuration, type Grant, type KoaContextWithOIDC } from 'oidc-provider';
import { originAllowed, type Client } from '../clients.ts';
import { pageHeaders } from '../http.ts';
import { loginTimeout, sessionMax } from '../lifespans.ts';
import { logoutPage, messagePage } from '../pages/pages.ts';
import type { Realm } from '../realm.ts';
import { tokenStorage } from './token-storage.ts';

const base = '/protocol/openid-connect';

/** Keycloak's texts on the page of an authorization request that cannot be answered with a redirect. */
const errorTexts: Record<string, string> = { invalid_redirect_uri: 'Invalid parameter: redirect_uri', invalid_client: 'Client not found.' };

/** Configures oidc-provider to behave like Keycloak as far as its options allow. */
export function configuration(realm: Realm): Configuration {
  const policy = interactionPolicy.base();
  policy.remove('consent');
  const cookie = { signed: true, httpOnly: true, sameSite: 'lax' } as const;
  return {
    adapter: tokenStorage(realm),
    clients: [...realm.clients.values()].map((client) => metadata(client, realm.keys.algorithm)),
    jwks: { keys: realm.keys.privateKeys },
    findAccount: (_ctx, id) => (realm.users.find(id)?.enabled === true ? { accountId: id, claims: () => ({ sub: id }) } : undefined),
    loadExistingGrant: grantEverything,
    issueRefreshToken: () => true,
    rotateRefreshToken: false,
    allowOmittingSingleRegisteredRedirectUri: false,
    clientBasedCORS: (_ctx, origin, { clientId }) => originAllowed(realm.clients.get(clientId), origin),
    pkce: { required: (_ctx, client) => client.clientAuthMethod === 'none' },
    interactions: { policy, url: (_ctx, { uid }) => `${realm.issuer}/login-actions/authenticate/${uid}` },
    scopes: ['openid', 'profile', 'email'],
    cookies: {
      keys: [Buffer.from(realm.keys.secret).toString('base64url')],
      names: { session: 'identity_session', interaction: 'identity_login', resume: 'identity_resume' },
      long: { ...cookie, path: `/realms/${realm.name}` },
      short: cookie,
    },
    ttl: {
      AccessToken: realm.accessTokenLifespan,
      ClientCredentials: realm.accessTokenLifespan,
      IdToken: realm.accessTokenLifespan,
      AuthorizationCode: 60,
      Interaction: loginTimeout,
      Session: sessionMax,
      Grant: sessionMax,
      RefreshToken: sessionMax,
    },
    routes: {
      authorization: `${base}/auth`,
      token: `${base}/token`,
      userinfo: `${base}/userinfo`,
      end_session: `${base}/logout`,
      jwks: `${base}/certs`,
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      resourceIndicators: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      clientCredentials: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => show(ctx, logoutPage(form)),
        postLogoutSuccessSource: (ctx) => show(ctx, messagePage({ title: 'You are logged out', text: 'You can close this page.' })),
      },
    },
    renderError(ctx, { error, error_description: description = 'An unexpected error.' }) {
      show(ctx, messagePage({ title: 'We are sorry...', text: errorTexts[error] ?? description }));
    },
  };
}

function metadata(client: Client, algorithm: string): ClientMetadata {
  const browser = client.redirectUris.length > 0;
  const grants = [
    ...(browser ? ['authorization_code'] : []),
    ...(client.directAccessGrants ? ['password'] : []),
    ...(client.secret === undefined ? [] : ['client_credentials']),
  ];
  return {
    client_id: client.clientId,
    ...(client.secret === undefined ? { token_endpoint_auth_method: 'none' } : { client_secret: client.secret }),
    grant_types: [...grants, 'refresh_token'],
    response_types: browser ? ['code'] : [],
    // The library requires a value. Client.prototype.redirectUriAllowed makes the decision.
    redirect_uris: browser ? ['http://localhost/'] : [],
    id_token_signed_response_alg: algorithm as 'RS256',
  };
}

/** Returns the grant of a login without asking for consent, which is the default of Keycloak's clients. */
async function grantEverything({ oidc }: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { session, client, provider } = oidc;
  if (session?.accountId === undefined || client === undefined) return undefined;
  const known = await provider.Grant.find(session.grantIdFor(client.clientId) ?? '');
  if (known !== undefined) return known;
  const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
  grant.addOIDCScope('openid profile email');
  await grant.save();
  return grant;
}

/** Responds with an HTML page. */
export function show(ctx: Pick<KoaContextWithOIDC, 'set' | 'body'>, page: string): void {
  ctx.set(pageHeaders);
  ctx.body = page;
}
