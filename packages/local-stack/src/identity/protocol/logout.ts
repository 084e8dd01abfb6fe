import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { redirectAllowed } from '../clients.ts';
import { readForm } from '../http.ts';
import { messagePage } from '../pages/pages.ts';
import { clearSessionCookie } from '../pages/session-status.ts';
import type { Realm } from '../realm.ts';
import { acceptClient } from './client-authentication.ts';
import { show } from './configuration.ts';
import { sessionOfIdToken, sessionOfRefreshToken } from './tokens.ts';

/**
 * Adds Keycloak's logout. With an id_token_hint the session ends at once and the browser is redirected back. Without one, the library asks
 * for confirmation if there is a session. A library without a browser posts a refresh_token. Refresh tokens end with their session.
 */
export function addLogout(provider: Provider, realm: Realm): void {
  provider.use(async (ctx, next) => {
    if (!['GET', 'POST'].includes(ctx.method) || !ctx.path.endsWith('/logout')) {
      await next();
      return;
    }
    if (ctx.method === 'POST') {
      const form = await readForm(ctx.req);
      if (form.has('refresh_token')) {
        await endSession(provider, realm, ctx, form);
        return;
      }
      // A posted form has the same parameters as the query.
      ctx.method = 'GET';
      ctx.querystring = form.toString();
    }
    const hinted = await sessionOfIdToken(realm, single(ctx.query['id_token_hint']) ?? '');
    const session = hinted === undefined ? await provider.Session.get(ctx) : await provider.Session.findByUid(hinted.sid);
    if (hinted === undefined && session?.accountId !== undefined) await next();
    else if (redirectBack(realm, ctx, hinted?.clientId ?? single(ctx.query['client_id']))) {
      await session?.destroy();
      const { accountId } = await provider.Session.get(ctx);
      if (accountId === undefined) ctx.append('set-cookie', clearSessionCookie(realm));
    }
  });
}

type PostContext = Pick<KoaContextWithOIDC, 'body' | 'status' | 'req' | 'set'>;

/** Ends the session of a refresh token for its client. Responds with 204, also if the session has ended before. */
async function endSession(provider: Provider, realm: Realm, ctx: PostContext, form: URLSearchParams): Promise<void> {
  const fail = (status: number, body: object) => void Object.assign(ctx, { status, body });
  const accepted = acceptClient(realm, ctx.req.headers, form);
  if ('refusal' in accepted) return fail(accepted.status, accepted.refusal);
  ctx.set(accepted.headers);
  const found = await sessionOfRefreshToken(realm, form.get('refresh_token') ?? '');
  const invalid = 'Invalid refresh token';
  if (found === undefined) return fail(400, { error: 'invalid_grant', error_description: invalid });
  if (found.clientId !== accepted.client.clientId) {
    return fail(400, { error: 'invalid_grant', error_description: `${invalid}. Token client and authorized client don't match` });
  }
  await (await provider.Session.findByUid(found.sid))?.destroy();
  ctx.status = 204;
}

type ResponseContext = Pick<KoaContextWithOIDC, 'query' | 'body' | 'status' | 'redirect' | 'set'>;

/** Redirects to the client's post_logout_redirect_uri. Shows an error page and returns false if the client does not allow it. */
function redirectBack(realm: Realm, ctx: ResponseContext, clientId: string | undefined): boolean {
  const target = single(ctx.query['post_logout_redirect_uri']);
  if (target === undefined) {
    show(ctx, messagePage({ title: 'You are logged out', text: 'You can close this page.' }));
    return true;
  }
  const client = realm.clients.get(clientId ?? '');
  if (client === undefined || !redirectAllowed(client, target)) {
    ctx.status = 400;
    show(ctx, messagePage({ title: 'We are sorry...', text: 'Invalid redirect uri' }));
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
