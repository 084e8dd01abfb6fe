import { describe, expect, test } from 'vitest';
import { chromium, useLibraryWorld, user } from './library-world.ts';
import { requestToken } from './requests.ts';

/** Starts oidc-client-ts as docs/use/single-page-app-login.md does, and notes when another tab logs out. */
const main = `import * as login from '/login.js';
  globalThis.login = login;
  globalThis.isSignedOut = false;
  login.users.events.addUserSignedOut(() => { globalThis.isSignedOut = true; });
  globalThis.started = login.start();`;

describe.skipIf(chromium === null)('oidc-client-ts', () => {
  const world = useLibraryWorld('oidc-client-ts', main);
  const isLoggedIn = (tab = world.page): Promise<boolean> => tab.evaluate('started.then((user) => user !== null)');
  const users = <T>(expression: string, tab = world.page): Promise<T> => tab.evaluate(`login.users.${expression}`);
  const tokens = () => users<Record<string, string>>('getUser()');
  /** Calls an API. Returns the token that arrives there. */
  const request = () => world.page.evaluate("login.request('/api/me/permissions').then((response) => response.text())");
  async function logIn(): Promise<void> {
    await world.page.goto(`${world.origin}/`);
    expect(await isLoggedIn()).toBe(false);
    await world.logIn('login.users.signinRedirect()');
    expect(await isLoggedIn()).toBe(true);
  }
  const refresh = (refreshToken = '', more: Record<string, string> = {}) =>
    requestToken(world.idp, { grant_type: 'refresh_token', client_id: 'web', refresh_token: refreshToken, ...more });

  test('logs in, calls an API with the token, and revokes the tokens', async () => {
    await logIn();
    expect(world.page.url()).toBe(`${world.origin}/`);
    const { access_token: token, refresh_token: refreshToken, profile, session_state: session } = await tokens();
    expect(profile).toMatchObject({ email: user.email, sid: session });
    expect(await request()).toBe(`Bearer ${token}`);
    await users('revokeTokens()');
    expect((await refresh(refreshToken)).body).toMatchObject({ error: 'invalid_grant' });
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${world.idp.realmUrl}/protocol/openid-connect/userinfo`, { headers })).status).toBe(401);
  });

  test.each(['openid', 'openid profile email'])('renews the tokens by the refresh token with the scope %s', async (scope) => {
    await logIn();
    const before = await tokens();
    await world.page.evaluate(`login.users.signinSilent({ scope: '${scope}' }).then(() => undefined)`);
    const after = await tokens();
    expect([after['access_token'] === before['access_token'], after['session_state']]).toEqual([false, before['session_state']]);
    expect((await refresh(after['refresh_token'], { scope })).status).toBe(200);
  });

  test('renews an expired token when the app loads, and before a request', async () => {
    /** Sets the stored expiry of the access token to the past, as after a sleep of the computer. Returns the token. */
    async function expire(): Promise<string> {
      await world.page.evaluate(`{
        const [key, stored] = Object.entries(sessionStorage).find(([name]) => name.startsWith('oidc.user:'));
        sessionStorage.setItem(key, JSON.stringify({ ...JSON.parse(stored), expires_at: Math.floor(Date.now() / 1000) - 60 }));
      }`);
      return (await tokens())['access_token'] ?? '';
    }
    await logIn();
    const first = await expire();
    await world.page.reload();
    expect(await world.page.evaluate('started.then((user) => user.expired)')).toBe(false);
    const second = await expire();
    expect(second).not.toBe(first);
    const sent = await request();
    expect(sent).toBe(`Bearer ${(await tokens())['access_token']}`);
    expect(sent).not.toBe(`Bearer ${second}`);
  });

  test('restores the session in a new tab by an iframe, and notices by the status iframe that the other tab logged out', async () => {
    const { page, origin, visitor } = world;
    await logIn();
    const { refresh_token: refreshToken } = await tokens();
    const other = await visitor.context.newPage();
    const visited = new Set<string>();
    other.on('framenavigated', (frame) => frame === other.mainFrame() && visited.add(frame.url()));
    await other.goto(`${origin}/`);
    expect(await isLoggedIn(other)).toBe(true);
    expect(await users('getUser().then((user) => user.profile.sub)', other)).toBe(user.id);
    expect(visited).toEqual(new Set([`${origin}/`]));

    await other.evaluate("void login.users.signoutRedirect({ post_logout_redirect_uri: location.origin + '/bye' })");
    await other.waitForURL(`${origin}/bye`);
    expect(await isLoggedIn(other)).toBe(false);
    await expect.poll(() => page.evaluate('isSignedOut')).toBe(true);
    expect((await refresh(refreshToken)).status).toBe(400);
  });
});
