import type { Frame, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { chromium, useLibraryWorld, user } from './library-world.ts';
import { requestToken } from './requests.ts';

/** Scripts of an application that uses a library as docs/use/single-page-app-login.md does. The application notes when another tab logs out. */
const libraries = {
  'keycloak-js': {
    onLogout: 'login.keycloak.onAuthLogout = () => { globalThis.isLoggedOut = true; };',
    isLoggedIn: 'started',
    login: 'login.keycloak.login()',
    token: 'login.keycloak.token',
    userId: 'login.keycloak.loadUserInfo().then(({ sub }) => sub)',
    renew: 'login.keycloak.updateToken(-1)',
    logout: "login.keycloak.logout({ redirectUri: location.origin + '/bye' })",
  },
  'oidc-client-ts': {
    onLogout: 'login.users.events.addUserSignedOut(() => { globalThis.isLoggedOut = true; });',
    isLoggedIn: 'started.then((user) => user !== null)',
    login: 'login.users.signinRedirect()',
    token: 'login.users.getUser().then((user) => user.access_token)',
    userId: 'login.users.getUser().then((user) => user.profile.sub)',
    renew: 'login.users.signinSilent().then(() => undefined)',
    logout: "login.users.signoutRedirect({ post_logout_redirect_uri: location.origin + '/bye' })",
  },
};

/** The tests of both libraries. Returns what those of one library use. */
function testLibrary(library: keyof typeof libraries) {
  const scripts = libraries[library];
  const main = `import * as login from '/login.js'; globalThis.login = login; ${scripts.onLogout} globalThis.started = login.start();`;
  const world = useLibraryWorld(library, main);
  const isLoggedIn = (tab = world.page): Promise<boolean> => tab.evaluate(scripts.isLoggedIn);
  const token = (): Promise<string> => world.page.evaluate(scripts.token);
  /** Calls an API. Returns the bearer token that arrives there. */
  const request = () => world.page.evaluate("login.request('/api/me/permissions').then((response) => response.text())");
  async function logIn(): Promise<void> {
    await world.page.goto(`${world.origin}/`);
    expect(await isLoggedIn()).toBe(false);
    await world.logIn(scripts.login);
    expect(await isLoggedIn()).toBe(true);
  }
  /** Collects the addresses that a page visits. */
  function visitedBy(page: Page): Set<string> {
    const visited = new Set<string>();
    page.on('framenavigated', (frame: Frame) => frame === page.mainFrame() && visited.add(frame.url()));
    return visited;
  }

  test('logs in, calls an API with the token, and renews the token without a page', async () => {
    await logIn();
    expect(world.page.url()).toBe(`${world.origin}/`);
    const first = await token();
    expect(await request()).toBe(`Bearer ${first}`);
    await world.page.evaluate(scripts.renew);
    expect(await token()).not.toBe(first);
    expect(await world.page.evaluate(scripts.userId)).toBe(user.id);
  });

  test('restores the session without leaving the application, and notices that another tab logged out', async () => {
    const { page, origin, visitor } = world;
    await logIn();
    const visited = visitedBy(page);
    await page.reload();
    expect(await isLoggedIn()).toBe(true);
    const other = await visitor.context.newPage();
    const visitedByOther = visitedBy(other);
    await other.goto(`${origin}/`);
    expect(await isLoggedIn(other)).toBe(true);
    for (const each of [visited, visitedByOther]) expect(each).toEqual(new Set([`${origin}/`]));

    await other.evaluate(`void ${scripts.logout}`);
    await other.waitForURL(`${origin}/bye`);
    expect(await isLoggedIn(other)).toBe(false);
    await expect.poll(() => page.evaluate('globalThis.isLoggedOut')).toBe(true);
  });
  return { world, isLoggedIn, token, request, logIn, visitedBy };
}

describe.skipIf(chromium === null)('keycloak-js', () => {
  const { world, isLoggedIn, visitedBy } = testLibrary('keycloak-js');

  test('restores the session by a redirect on another site, where the browser blocks cookies in iframes', async () => {
    const { page, visitor } = world;
    const origin = world.origin.replace('localhost', '127.0.0.1');
    // The page leaves while the library checks the session.
    const outcome = () => expect.poll(() => isLoggedIn().catch(() => undefined));
    await page.goto(`${origin}/`);
    await outcome().toBe(false);
    await world.logIn(libraries['keycloak-js'].login);
    await outcome().toBe(true);
    const visited = visitedBy(page);
    await page.reload();
    await expect.poll(() => [...visited]).toContainEqual(expect.stringMatching(/[#&]code=/));
    await outcome().toBe(true);
    expect(page.url()).toBe(`${origin}/`);
    // Chromium logs that it denies the iframe access to cookies.
    await visitor.leave('requestStorageAccess:');
  });
});

describe.skipIf(chromium === null)('oidc-client-ts', () => {
  const { world, token, request, logIn } = testLibrary('oidc-client-ts');

  test('renews an expired token when the app loads and before a request; revokes tokens', async () => {
    /** Sets the stored expiry of the access token to the past, as after a sleep of the computer. Returns the token. */
    async function expire(): Promise<string> {
      await world.page.evaluate(`{
        const [key, stored] = Object.entries(sessionStorage).find(([name]) => name.startsWith('oidc.user:'));
        sessionStorage.setItem(key, JSON.stringify({ ...JSON.parse(stored), expires_at: Math.floor(Date.now() / 1000) - 60 }));
      }`);
      return token();
    }
    const refresh = (refreshToken: string, scope: Record<string, string> = {}) =>
      requestToken(world.idp, { grant_type: 'refresh_token', client_id: 'web', refresh_token: refreshToken, ...scope });
    await logIn();
    const first = await expire();
    await world.page.reload();
    expect(await world.page.evaluate('started.then((user) => user.expired)')).toBe(false);
    const second = await expire();
    expect(second).not.toBe(first);
    const sent = await request();
    expect(sent).toBe(`Bearer ${await token()}`);
    expect(sent).not.toBe(`Bearer ${second}`);

    const refreshToken: string = await world.page.evaluate('login.users.getUser().then((user) => user.refresh_token)');
    expect((await refresh(refreshToken, { scope: 'openid' })).status).toBe(200);
    await world.page.evaluate('login.users.revokeTokens()');
    expect((await refresh(refreshToken)).body).toMatchObject({ error: 'invalid_grant' });
    const headers = { authorization: String(sent) };
    expect((await fetch(`${world.idp.realmUrl}/protocol/openid-connect/userinfo`, { headers })).status).toBe(401);
  });
});
