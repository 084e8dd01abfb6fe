import { errors, type Client as LibraryClient, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import { sessionMax } from '../lifespans.ts';
import { pendingActions, type User } from '../users/user.ts';
import type { Realm } from '../realm.ts';

/** Adds Keycloak's direct access grant: the token endpoint accepts username and password, starts a session and issues tokens. */
export function addPasswordGrant(provider: Provider, realm: Realm): void {
  provider.registerGrantType<{ username?: string; password?: string }>(
    'password',
    async (ctx) => {
      const { username, password = '', scope = '' } = ctx.oidc.params;
      if (username === undefined) throw new errors.InvalidRequest('Missing parameter: username', 401);
      await issue(provider, ctx, ctx.oidc.client, { user: authenticated(realm, username, password), scope });
    },
    ['username', 'password', 'scope'],
  );
}

function authenticated(realm: Realm, username: string, password: string): User {
  const login = realm.users.authenticate(username, password);
  if (login.outcome === 'wrong') throw new errors.InvalidGrant('Invalid user credentials');
  if (login.outcome === 'disabled') throw new errors.InvalidGrant('Account disabled');
  if (pendingActions(login.user).length > 0) throw new errors.InvalidGrant('Account is not fully set up');
  return login.user;
}

/** Stores the tokens where the library's own grants store theirs. The response is made from there. */
async function issue(
  provider: Provider,
  ctx: KoaContextWithOIDC,
  client: LibraryClient,
  login: { user: User; scope: string },
): Promise<void> {
  const [accountId, scope] = [login.user.id, `${login.scope} profile email`.trim()];
  const grant = new provider.Grant({ accountId, clientId: client.clientId });
  grant.addOIDCScope(scope);
  const grantId = await grant.save();
  const session = new provider.Session();
  session.loginAccount({ accountId });
  session.grantIdFor(client.clientId, grantId);
  await session.save(sessionMax);
  const source = { accountId, client, grantId, scope, gty: 'password', sessionUid: session.uid, expiresWithSession: true };
  const [accessToken, refreshToken] = [new provider.AccessToken(source), new provider.RefreshToken(source)];
  await Promise.all([accessToken.save(), refreshToken.save()]);
  ctx.oidc.entity('AccessToken', accessToken);
  ctx.oidc.entity('RefreshToken', refreshToken);
  ctx.body = {};
}
