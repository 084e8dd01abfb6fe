import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { serviceAccountId } from '../people/user.ts';
import type { Realm } from '../realm.ts';
import { profileClaims } from './claims.ts';
import { tokenRefusal } from './token-refusals.ts';
import { tokenAnswer, type Issued } from './tokens.ts';

// The beginnings of Keycloak's jti: how the session came to be and by which grant the token was made.
const marks: Record<string, string> = { authorization_code: 'onrtac', password: 'onrtro', refresh_token: 'onrtrt' };

/** Makes the library's token and userinfo endpoints answer as Keycloak's do: its JWTs and claims, refusals in its words. */
export function speakAsKeycloak(provider: Provider, realm: Realm): void {
  provider.use(async (ctx: Partial<KoaContextWithOIDC>, next) => {
    await next();
    if (ctx.oidc === undefined || ctx.status !== 200) return;
    if (ctx.oidc.route === 'userinfo') ctx.body = userinfo(realm, ctx.oidc.account?.accountId);
    const issued = ctx.oidc.route === 'token' ? whatWasIssued(realm, ctx.oidc) : undefined;
    if (issued !== undefined) ctx.body = await tokenAnswer(realm, issued);
  });
  provider.on('grant.error', (ctx, error) => {
    const { status, body } = tokenRefusal(error, ctx.oidc.params ?? {});
    ctx.status = status;
    ctx.body = body;
  });
}

function whatWasIssued(realm: Realm, oidc: KoaContextWithOIDC['oidc']): Issued | undefined {
  const { ClientCredentials: own, AccessToken: access, RefreshToken: refresh, AuthorizationCode: code } = oidc.entities;
  const client = realm.clients.get(oidc.client?.clientId ?? '');
  const user = realm.users.find(access?.accountId ?? serviceAccountId(realm.name, oidc.client?.clientId ?? ''));
  if (client === undefined || user === undefined) return undefined;
  if (own !== undefined) return { user, client, requestedScopes: own.scopes, accessTokenId: `trrtcc:${own.jti}` };
  if (access === undefined || refresh === undefined) return undefined;
  return {
    user,
    client,
    requestedScopes: refresh.scopes,
    accessTokenId: `${marks[String(oidc.params?.['grant_type'])]}:${access.jti}`,
    login: { sid: access.sessionUid ?? access.grantId, refreshTokenId: refresh.jti, authTime: refresh.authTime, nonce: code?.nonce },
  };
}

function userinfo(realm: Realm, id: string | undefined): object {
  const user = realm.users.find(id ?? '');
  return user === undefined ? {} : { sub: user.id, ...profileClaims(user) };
}
