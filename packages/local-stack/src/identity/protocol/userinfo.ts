import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Realm } from '../realm.ts';
import { profileClaims } from './claims.ts';
import { verifiedToken } from './tokens.ts';

type Context = Pick<KoaContextWithOIDC, 'oidc' | 'status' | 'body' | 'type' | 'get' | 'set'>;

/** Makes the library's userinfo endpoint respond like Keycloak. */
export function addUserinfo(provider: Provider, realm: Realm): void {
  const reasons = new WeakMap<object, string>();
  provider.use(async (ctx: Partial<Pick<KoaContextWithOIDC, 'oidc'>> & Omit<Context, 'oidc'>, next) => {
    await next();
    const { oidc } = ctx;
    if (oidc?.route !== 'userinfo') return;
    const user = realm.users.find(oidc.account?.accountId ?? '');
    if (ctx.status === 200 && user !== undefined) ctx.body = { sub: user.id, ...profileClaims(user) };
    else await refuse(provider, realm, ctx, reasons.get(oidc) ?? '');
  });
  provider.on('userinfo.error', (ctx, error) => reasons.set(ctx.oidc, error.error_description ?? ''));
}

/** Sends Keycloak's error: all of it is in WWW-Authenticate. @param reason of the library */
async function refuse(provider: Provider, realm: Realm, ctx: Omit<Context, 'oidc'>, reason: string): Promise<void> {
  if (reason.startsWith('origin ')) {
    ctx.status = 403;
    ctx.body = { error: 'Invalid origin' };
    return;
  }
  const text = /^Bearer (\S+)$/i.exec(ctx.get('authorization'))?.[1];
  const lacksScope = reason.includes('missing openid scope');
  const error = lacksScope
    ? ['insufficient_scope', 'Missing openid scope']
    : ['invalid_token', await problemOf(provider, realm, text ?? '')];
  const details = text === undefined ? '' : `, error="${error[0]}", error_description="${error[1]}"`;
  ctx.status = lacksScope ? 403 : 401;
  ctx.body = '';
  ctx.type = 'text/plain; charset=utf-8';
  ctx.set('www-authenticate', `Bearer realm="${realm.name}"${details}`);
}

async function problemOf(provider: Provider, realm: Realm, text: string): Promise<string> {
  const { sid } = (await verifiedToken(realm, text)) ?? {};
  const hasEnded = typeof sid === 'string' && (await provider.Session.findByUid(sid)) === undefined;
  return hasEnded ? 'user_session_not_found' : 'Token verification failed';
}
