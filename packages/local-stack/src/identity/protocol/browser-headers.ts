import type { IncomingMessage } from 'node:http';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { clearSessionCookie, sessionCookie } from '../pages/session-status.ts';
import type { Realm } from '../realm.ts';

/** Adds what browsers need to oidc-provider's responses: cookies that work in iframes, the cookie of the status iframe, and CORS with cookies. */
export function addBrowserHeaders(provider: Provider, realm: Realm): void {
  provider.use(async (ctx: Partial<KoaContextWithOIDC> & Pick<KoaContextWithOIDC, 'get' | 'response' | 'req' | 'set'>, next) => {
    await next();
    const origin = ctx.get('origin');
    if (origin !== '' && ctx.response.get('access-control-allow-origin') === origin) ctx.set('access-control-allow-credentials', 'true');
    const status = statusCookie(realm, ctx.oidc);
    const cookies = [ctx.response.get('set-cookie') ?? [], status ?? []].flat().filter((cookie) => cookie !== '');
    if (cookies.length > 0) ctx.set('set-cookie', sendsInIframes(realm, ctx.req) ? cookies.map(forIframes) : cookies);
  });
  // Keycloak sends the id of the session. oidc-client-ts hands it to the status iframe.
  provider.on('authorization.success', (ctx, response = {}) => {
    response['session_state'] = ctx.oidc.session?.uid;
  });
}

/** Returns the cookie that the status iframe reads, if the response changes it. */
function statusCookie(realm: Realm, oidc: KoaContextWithOIDC['oidc'] | undefined): string | undefined {
  const { session, route = '' } = oidc ?? {};
  if (session === undefined) return undefined;
  const isOpen = session.accountId !== undefined && !('destroyed' in session);
  if (['authorization', 'resume'].includes(route)) return isOpen ? sessionCookie(realm, session.uid) : clearSessionCookie(realm);
  return isOpen ? undefined : clearSessionCookie(realm);
}

/**
 * Whether the browser stores cookies that iframes of other sites get. They must be `Secure`. Browsers accept that without https from the own
 * machine only, and Safari never does. Keycloak decides in the same way.
 */
function sendsInIframes(realm: Realm, req: IncomingMessage): boolean {
  const { protocol, hostname } = new URL(realm.publicUrl);
  if (protocol === 'https:') return true;
  const agent = req.headers['user-agent'] ?? '';
  const isSafari = agent.includes('Safari/') && !/chrom(?:e|ium)\//i.test(agent);
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname) && !isSafari;
}

function forIframes(cookie: string): string {
  return cookie.replace(/samesite=lax/i, 'samesite=none; secure');
}
