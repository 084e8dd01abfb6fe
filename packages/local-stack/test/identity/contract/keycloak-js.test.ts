import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type { Provided } from '../../../../../test/provided.ts';
import type { Visitor } from '../../../../../test/visitor.ts';
import { startLibraryWorld, user, type LibraryWorld } from './library-world.ts';

const chromium: Provided['chromium'] = inject('chromium');

/** Starts keycloak-js as docs/use/single-page-app-login.md does. */
const main = `import * as login from '/login.js';
  globalThis.login = login;
  login.keycloak.onAuthLogout = () => { globalThis.isLoggedOut = true; };
  globalThis.started = login.start();`;

describe.skipIf(chromium === null)('keycloak-js with its defaults', () => {
  let world: LibraryWorld;
  let visitor: Visitor;
  let page: Page;
  beforeAll(async () => {
    world = await startLibraryWorld(chromium ?? '', 'keycloak-js', main);
  });
  afterAll(() => world?.stop());
  beforeEach(async () => {
    visitor = await world.visitor();
    ({ page } = visitor);
  });
  afterEach(() => visitor.leave());

  const isLoggedIn = (tab = page): Promise<boolean> => tab.evaluate('started');
  const keycloak = <T>(expression: string): Promise<T> => page.evaluate(`login.keycloak.${expression}`);
  async function logIn(): Promise<void> {
    await page.goto(`${world.origin}/`);
    expect(await isLoggedIn()).toBe(false);
    await page.evaluate('void login.keycloak.login()');
    await world.signIn(page);
    expect(await isLoggedIn()).toBe(true);
  }

  test('logs in, and calls an API and the userinfo endpoint with the token', async () => {
    await logIn();
    expect(page.url()).toBe(`${world.origin}/`);
    expect(await keycloak('tokenParsed')).toMatchObject({ azp: 'web', email: user.email });
    expect(await keycloak('loadUserInfo()')).toMatchObject({ sub: user.id, email: user.email });
    const token = await keycloak<string>('token');
    expect(await page.evaluate("login.request('/api/me/permissions').then((response) => response.text())")).toBe(`Bearer ${token}`);
  });

  test('renews the token without a page', async () => {
    await logIn();
    const before = await keycloak<string>('token');
    expect(await keycloak('updateToken(-1)')).toBe(true);
    expect(await keycloak<string>('token')).not.toBe(before);
    expect(await keycloak('loadUserInfo()')).toMatchObject({ sub: user.id });
  });

  test('restores the session after a reload without leaving the application', async () => {
    await logIn();
    const visited = new Set<string>();
    page.on('framenavigated', (frame) => frame === page.mainFrame() && visited.add(frame.url()));
    await page.reload();
    expect(await isLoggedIn()).toBe(true);
    expect(visited).toEqual(new Set([`${world.origin}/`]));
  });

  test('restores the session by a redirect on another site, where the browser blocks cookies in iframes', async () => {
    const origin = world.origin.replace('localhost', '127.0.0.1');
    // The page leaves while the library checks the session.
    const outcome = () => expect.poll(() => isLoggedIn().catch(() => undefined));
    await page.goto(`${origin}/`);
    await outcome().toBe(false);
    await page.evaluate('void login.keycloak.login()');
    await world.signIn(page);
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
    await logIn();
    const other = await visitor.context.newPage();
    await other.goto(`${world.origin}/`);
    expect(await isLoggedIn(other)).toBe(true);
    await other.evaluate("void login.keycloak.logout({ redirectUri: location.origin + '/bye' })");
    await other.waitForURL(`${world.origin}/bye`);
    expect(await isLoggedIn(other)).toBe(false);
    await expect.poll(() => page.evaluate('globalThis.isLoggedOut')).toBe(true);
    expect(await keycloak('authenticated')).toBe(false);
    await page.reload();
    expect(await isLoggedIn()).toBe(false);
  });
});
