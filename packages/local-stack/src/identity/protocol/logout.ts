import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { redirectAllowed } from '../clients.ts';
import { messagePage } from '../pages/pages.ts';
import type { Realm } from '../realm.ts';
import { sessionOfIdToken } from './tokens.ts';

/**
 * Adds Keycloak's logout. With an id_token_hint the session ends at once and the browser is redirected back. Without one, the library asks
 * for confirmation if there is a session. Refresh tokens end with their session; access tokens are valid until they expire.
 */
export function addLogout(provider: Provider, realm: Realm): void {
  provider.use(async (ctx, next) => {
    if (ctx.method !== 'GET' || !ctx.path.endsWith('/logout')) {
      await next();
      return;
    }
    const hinted = await sessionOfIdToken(realm, single(ctx.query['id_token_hint']) ?? '');
    const session = hinted === undefined ? await provider.Session.get(ctx) : await provider.Session.findByUid(hinted.sid);
    if (hinted === undefined && session?.accountId !== undefined) await next();
    else if (redirectBack(realm, ctx, hinted?.clientId ?? single(ctx.query['client_id']))) await session?.destroy();
  });
}

type ResponseContext = Pick<KoaContextWithOIDC, 'query' | 'body' | 'status' | 'redirect'>;

/** Redirects to the client's post_logout_redirect_uri. Shows an error page and returns false if the client does not allow it. */
function redirectBack(realm: Realm, ctx: ResponseContext, clientId: string | undefined): boolean {
  const target = single(ctx.query['post_logout_redirect_uri']);
  if (target === undefined) {
    ctx.body = messagePage({ title: 'You are logged out', text: 'You can close this page.' });
    return true;
  }
  const client = realm.clients.get(clientId ?? '');
  if (client === undefined || !redirectAllowed(client, target)) {
    ctx.status = 400;
    ctx.body = messagePage({ title: 'We are sorry...', text: 'Invalid redirect uri' });
    return false;
  }
  const location = new URL(target);
  const state = single(ctx.query['state']);
  if (state !== undefined) location.searchParams.set('state', state);
  ctx.redirect(location.href);
  return true;
}

function single(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
