import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type { Provided } from '../../../../../test/provided.ts';
import type { Visitor } from '../../../../../test/visitor.ts';
import { startLibraryWorld, user, type LibraryWorld } from './library-world.ts';
import { requestToken } from './requests.ts';

const chromium: Provided['chromium'] = inject('chromium');

/** Starts oidc-client-ts as docs/use/single-page-app-login.md does, and notes when another tab logs out. */
const main = `import * as login from '/login.js';
  globalThis.login = login;
  globalThis.isSignedOut = false;
  login.users.events.addUserSignedOut(() => { globalThis.isSignedOut = true; });
  globalThis.started = login.start();`;

describe.skipIf(chromium === null)('oidc-client-ts', () => {
  let world: LibraryWorld;
  let visitor: Visitor;
  let page: Page;
  beforeAll(async () => {
    world = await startLibraryWorld(chromium ?? '', 'oidc-client-ts', main);
  });
  afterAll(() => world?.stop());
  beforeEach(async () => {
    visitor = await world.visitor();
    ({ page } = visitor);
  });
  afterEach(() => visitor.leave());

  const isLoggedIn = (tab = page): Promise<boolean> => tab.evaluate('started.then((user) => user !== null)');
  const users = <T>(expression: string, tab = page): Promise<T> => tab.evaluate(`login.users.${expression}`);
  const tokens = () => users<Record<string, string>>('getUser()');
  async function logIn(): Promise<void> {
    await page.goto(`${world.origin}/`);
    expect(await isLoggedIn()).toBe(false);
    await page.evaluate('void login.users.signinRedirect()');
    await world.signIn(page);
    expect(await isLoggedIn()).toBe(true);
  }
  const refresh = (refreshToken = '', more: Record<string, string> = {}) =>
    requestToken(world.idp, { grant_type: 'refresh_token', client_id: 'web', refresh_token: refreshToken, ...more });

  test('logs in, and calls an API with the token', async () => {
    await logIn();
    expect(page.url()).toBe(`${world.origin}/`);
    const { access_token: token, profile, session_state: session } = await tokens();
    expect(profile).toMatchObject({ email: user.email, sid: session });
    expect(await page.evaluate("login.request('/api/me/permissions').then((response) => response.text())")).toBe(`Bearer ${token}`);
  });

  test.each(['openid', 'openid profile email'])('renews the tokens by the refresh token with the scope %s', async (scope) => {
    await logIn();
    const before = await tokens();
    await page.evaluate(`login.users.signinSilent({ scope: '${scope}' }).then(() => undefined)`);
    const after = await tokens();
    expect([after['access_token'] === before['access_token'], after['session_state']]).toEqual([false, before['session_state']]);
    expect((await refresh(after['refresh_token'], { scope })).status).toBe(200);
  });

  /** Sets the stored expiry of the access token to the past, as after a sleep of the computer. */
  const expire = () =>
    page.evaluate(`{
      const [key, stored] = Object.entries(sessionStorage).find(([name]) => name.startsWith('oidc.user:'));
      sessionStorage.setItem(key, JSON.stringify({ ...JSON.parse(stored), expires_at: Math.floor(Date.now() / 1000) - 60 }));
    }`);

  test('renews an expired token when the app loads', async () => {
    await logIn();
    const { access_token: expired } = await tokens();
    await expire();
    await page.reload();
    expect(await page.evaluate('started.then((user) => user.expired)')).toBe(false);
    expect((await tokens())['access_token']).not.toBe(expired);
  });

  test('renews an expired token before a request', async () => {
    await logIn();
    const { access_token: expired } = await tokens();
    await expire();
    const sent = await page.evaluate("login.request('/api/me/permissions').then((response) => response.text())");
    expect(sent).toBe(`Bearer ${(await tokens())['access_token']}`);
    expect(sent).not.toBe(`Bearer ${expired}`);
  });

  test('restores the session in a new tab by an iframe, without leaving the application', async () => {
    await logIn();
    const other = await visitor.context.newPage();
    const visited = new Set<string>();
    other.on('framenavigated', (frame) => frame === other.mainFrame() && visited.add(frame.url()));
    await other.goto(`${world.origin}/`);
    expect(await isLoggedIn(other)).toBe(true);
    expect(await users('getUser().then((user) => user.profile.sub)', other)).toBe(user.id);
    expect(visited).toEqual(new Set([`${world.origin}/`]));
  });

  test('notices by the status iframe that another tab logged out', async () => {
    await logIn();
    const { refresh_token: refreshToken } = await tokens();
    const other = await visitor.context.newPage();
    await other.goto(`${world.origin}/`);
    expect(await isLoggedIn(other)).toBe(true);
    await other.evaluate("void login.users.signoutRedirect({ post_logout_redirect_uri: location.origin + '/bye' })");
    await other.waitForURL(`${world.origin}/bye`);
    expect(await isLoggedIn(other)).toBe(false);
    await expect.poll(() => page.evaluate('isSignedOut')).toBe(true);
    expect((await refresh(refreshToken)).status).toBe(400);
  });

  test('revokes the tokens', async () => {
    await logIn();
    const { access_token: accessToken, refresh_token: refreshToken } = await tokens();
    await users('revokeTokens()');
    expect((await refresh(refreshToken)).body).toMatchObject({ error: 'invalid_grant' });
    const headers = { authorization: `Bearer ${accessToken}` };
    expect((await fetch(`${world.idp.realmUrl}/protocol/openid-connect/userinfo`, { headers })).status).toBe(401);
  });
});
