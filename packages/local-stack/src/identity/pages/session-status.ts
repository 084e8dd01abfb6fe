import { createHash } from 'node:crypto';
import { originAllowed } from '../clients.ts';
import { sendEmpty, sendFrame, type Exchange } from '../http.ts';
import { sessionMax } from '../lifespans.ts';
import type { Realm } from '../realm.ts';

const cookieName = 'KEYCLOAK_SESSION';

/** Returns the cookie by which the status iframe compares sessions: a hash of the session's id. Scripts of the provider can read it. */
export function sessionCookie(realm: Realm, sessionId: string): string {
  const value = createHash('sha384').update(sessionId).digest('base64url');
  return `${cookieName}=${value}; path=/realms/${realm.name}/; max-age=${sessionMax}; samesite=lax`;
}

/** Returns the cookie that deletes the one of `sessionCookie`. */
export function clearSessionCookie(realm: Realm): string {
  return `${cookieName}=; path=/realms/${realm.name}/; max-age=0; samesite=lax`;
}

/** Defines `mayUseCookies`. The browser may block cookies in iframes of other sites until the page requests access. */
const storageAccess = `
  async function mayUseCookies() {
    if (!document.hasStorageAccess || (await document.hasStorageAccess())) return true;
    return document.requestStorageAccess().then(() => true, () => false);
  }`;

/** Sets test cookies with the attributes of the session's cookies, and continues with the second page. */
const setTestCookies = `${storageAccess}
  if (await mayUseCookies()) {
    document.cookie = 'KEYCLOAK_3P_COOKIE=supported; max-age=60';
    document.cookie = 'KEYCLOAK_3P_COOKIE_SAMESITE=supported; max-age=60; samesite=none; secure';
    location.replace('step2.html');
  } else parent.postMessage('unsupported', '*');`;

/** Deletes the test cookies, and tells the application whether the browser had kept one. */
const readTestCookies = `
  const kept = document.cookie.includes('KEYCLOAK_3P_COOKIE');
  for (const name of ['KEYCLOAK_3P_COOKIE', 'KEYCLOAK_3P_COOKIE_SAMESITE']) document.cookie = name + '=; max-age=0';
  parent.postMessage(kept ? 'supported' : 'unsupported', '*');`;

/**
 * Answers the messages '<client id> <session id>' of an application with 'unchanged', 'changed' or 'error'. The provider is asked once whether
 * the origin of the application may use the client.
 */
const compareSession = `${storageAccess}
  let verified;
  async function verify(clientId, origin) {
    const query = new URLSearchParams({ client_id: clientId, origin });
    const { ok } = await fetch(location.pathname + '/init?' + query);
    return ok ? clientId + ' ' + origin : undefined;
  }
  async function hashOf(text) {
    const digest = await crypto.subtle.digest('SHA-384', new TextEncoder().encode(text));
    return btoa(String.fromCharCode(...new Uint8Array(digest))).replaceAll('+', '-').replaceAll('/', '_');
  }
  async function compare(clientId, sessionId, origin) {
    if (!(await mayUseCookies())) return 'error';
    verified ??= verify(clientId, origin);
    if ((await verified) !== clientId + ' ' + origin) return 'error';
    const cookie = document.cookie.split('; ').find((pair) => pair.startsWith('${cookieName}='));
    if (cookie === undefined) return sessionId === '' ? 'unchanged' : 'changed';
    return (await hashOf(sessionId)) === cookie.slice(cookie.indexOf('=') + 1) ? 'unchanged' : 'changed';
  }
  addEventListener('message', async ({ data, origin, source }) => {
    const parts = typeof data === 'string' ? data.split(' ') : [];
    if (parts.length !== 2) return;
    source.postMessage(await compare(parts[0], parts[1], origin).catch(() => 'error'), origin);
  });`;

const scripts: Record<string, string> = {
  '/3p-cookies/step1.html': setTestCookies,
  '/3p-cookies/step2.html': readTestCookies,
  '/login-status-iframe.html': compareSession,
};

/**
 * Serves the pages that an application loads in invisible iframes. Two test whether the browser keeps cookies in iframes. The third one
 * observes the session. Returns false for another path.
 * @param path below `/realms/{realm}`
 */
export function sessionStatus(realm: Realm, { req, res, url }: Exchange, path: string): boolean {
  const page = /^\/protocol\/openid-connect(\/.*)/.exec(path)?.[1] ?? '';
  const script = scripts[page];
  const isInit = page === '/login-status-iframe.html/init';
  if ((script === undefined && !isInit) || req.method !== 'GET') return false;
  if (script !== undefined) sendFrame(res, script);
  else {
    const client = realm.clients.get(url.searchParams.get('client_id') ?? '');
    sendEmpty(res, originAllowed(client, url.searchParams.get('origin') ?? '') ? 204 : 403);
  }
  return true;
}
