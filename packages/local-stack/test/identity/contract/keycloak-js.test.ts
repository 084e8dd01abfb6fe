import { describe, expect, test } from 'vitest';
import { chromium, useLibraryWorld, user } from './library-world.ts';

/** Starts keycloak-js as docs/use/single-page-app-login.md does. */
const main = `import * as login from '/login.js';
  globalThis.login = login;
  login.keycloak.onAuthLogout = () => { globalThis.isLoggedOut = true; };
  globalThis.started = login.start();`;

describe.skipIf(chromium === null)('keycloak-js with its defaults', () => {
  const world = useLibraryWorld('keycloak-js', main);
  const isLoggedIn = (tab = world.page): Promise<boolean> => tab.evaluate('started');
  const keycloak = <T>(expression: string): Promise<T> => world.page.evaluate(`login.keycloak.${expression}`);
  async function logIn(): Promise<void> {
    await world.page.goto(`${world.origin}/`);
    expect(await isLoggedIn()).toBe(false);
    await world.logIn('login.keycloak.login()');
    expect(await isLoggedIn()).toBe(true);
  }

  test('logs in, calls an API and the userinfo endpoint, and renews the token without a page', async () => {
    await logIn();
    expect(world.page.url()).toBe(`${world.origin}/`);
    expect(await keycloak('tokenParsed')).toMatchObject({ azp: 'web', email: user.email });
    const token = await keycloak<string>('token');
    expect(await world.page.evaluate("login.request('/api/me').then((response) => response.text())")).toBe(`Bearer ${token}`);
    expect(await keycloak('updateToken(-1)')).toBe(true);
    expect(await keycloak<string>('token')).not.toBe(token);
    expect(await keycloak('loadUserInfo()')).toMatchObject({ sub: user.id, email: user.email });
  });

  test('restores the session after a reload without leaving the application', async () => {
    const { page, origin } = world;
    await logIn();
    const visited = new Set<string>();
    page.on('framenavigated', (frame) => frame === page.mainFrame() && visited.add(frame.url()));
    await page.reload();
    expect(await isLoggedIn()).toBe(true);
    expect(visited).toEqual(new Set([`${origin}/`]));
  });

  test('restores the session by a redirect on another site, where the browser blocks cookies in iframes', async () => {
    const { page, visitor } = world;
    const origin = world.origin.replace('localhost', '127.0.0.1');
    // The page leaves while the library checks the session.
    const outcome = () => expect.poll(() => isLoggedIn().catch(() => undefined));
    await page.goto(`${origin}/`);
    await outcome().toBe(false);
    await world.logIn('login.keycloak.login()');
    await outcome().toBe(true);
    const visited: string[] = [];
    page.on('framenavigated', (frame) => frame === page.mainFrame() && visited.push(frame.url()));
    await page.reload();
    await expect.poll(() => visited).toContainEqual(expect.stringMatching(/[#&]code=/));
    await outcome().toBe(true);
    expect(page.url()).toBe(`${origin}/`);
    // Chromium logs that it denies the iframe access to cookies.
    await visitor.leave('requestStorageAccess:');
  });

  test('notices by the status iframe that another tab logged out', async () => {
    const { page, origin, visitor } = world;
    await logIn();
    const other = await visitor.context.newPage();
    await other.goto(`${origin}/`);
    expect(await isLoggedIn(other)).toBe(true);
    await other.evaluate("void login.keycloak.logout({ redirectUri: location.origin + '/bye' })");
    await other.waitForURL(`${origin}/bye`);
    expect(await isLoggedIn(other)).toBe(false);
    await expect.poll(() => page.evaluate('globalThis.isLoggedOut')).toBe(true);
    expect(await keycloak('authenticated')).toBe(false);
    await page.reload();
    expect(await isLoggedIn()).toBe(false);
  });
});
