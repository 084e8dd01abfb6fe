import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { serviceAccountId } from '../users/user.ts';
import type { Realm } from '../realm.ts';
import { tokenError } from './token-errors.ts';
import { tokenResponse, type IssuedTokens } from './tokens.ts';

// The prefixes of Keycloak's jti, by grant type.
const jtiPrefixes: Record<string, string> = { authorization_code: 'onrtac', password: 'onrtro', refresh_token: 'onrtrt' };

/** Makes the library's token endpoint respond like Keycloak: with its JWTs, claims and error messages. */
export function useKeycloakResponses(provider: Provider, realm: Realm): void {
  provider.use(async (ctx: Partial<KoaContextWithOIDC>, next) => {
    await next();
    if (ctx.oidc === undefined || ctx.status !== 200) return;
    const issued = ctx.oidc.route === 'token' ? issuedTokens(realm, ctx.oidc) : undefined;
    if (issued !== undefined) ctx.body = await tokenResponse(realm, issued);
  });
  provider.on('grant.error', (ctx, error) => {
    const { status, body } = tokenError(error, ctx.oidc.params ?? {});
    ctx.status = status;
    ctx.body = body;
  });
}

function issuedTokens(realm: Realm, oidc: KoaContextWithOIDC['oidc']): IssuedTokens | undefined {
  const { ClientCredentials: own, AccessToken: access, RefreshToken: refresh, AuthorizationCode: code } = oidc.entities;
  const client = realm.clients.get(oidc.client?.clientId ?? '');
  const user = realm.users.find(access?.accountId ?? serviceAccountId(realm.name, oidc.client?.clientId ?? ''));
  if (client === undefined || user === undefined) return undefined;
  if (own !== undefined) return { user, client, requestedScopes: own.scopes, accessTokenId: `trrtcc:${own.jti}` };
  if (access === undefined || refresh === undefined) return undefined;
  return {
    user,
    client,
    requestedScopes: access.scopes,
    accessTokenId: `${jtiPrefixes[String(oidc.params?.['grant_type'])]}:${access.jti}`,
    login: {
      sid: access.sessionUid ?? access.grantId,
      scopes: refresh.scopes,
      refreshTokenId: refresh.jti,
      authTime: refresh.authTime,
      nonce: code?.nonce,
    },
  };
}
