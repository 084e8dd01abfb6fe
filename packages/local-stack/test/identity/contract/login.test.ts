import { createHash, randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { Browser, type Page } from '../../../../../test/page-browser.ts';
import { ana, bob } from './realm-data.ts';
import { createLogin, refreshGrant, requestToken, useAdmin, verified } from './requests.ts';
import { useProvider } from './start-provider.ts';

const application = 'http://localhost:5173/callback?from=login';
const idp = useProvider();
const admin = useAdmin(idp);
let browser: Browser;

beforeEach(() => {
  browser = new Browser(idp.url);
});

const codeVerifier = randomBytes(32).toString('base64url');
const request = { client_id: 'profile-web', redirect_uri: application, response_type: 'code', scope: 'openid', state: 'the-state' };
const pkce = { code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'), code_challenge_method: 'S256' };

const authorize = (parameters: Record<string, string>) =>
  browser.open(`${idp.realmUrl}/protocol/openid-connect/auth?${new URLSearchParams(parameters).toString()}`);

/** Opens the authorization endpoint as a web application does. */
const visit = (parameters: Record<string, string> = {}) => authorize({ ...request, nonce: 'the-nonce', ...pkce, ...parameters });

const logIn = async ({ email, password }: { email: string; password: string }): Promise<Page> =>
  browser.submit(await visit(), { username: email, password });

/** Exchanges the code of a redirect for tokens. */
function redeem(page: Page, parameters: Record<string, string> = {}) {
  const code = new URL(page.url).searchParams.get('code') ?? '';
  const grant = { grant_type: 'authorization_code', client_id: 'profile-web', redirect_uri: application, code };
  return requestToken(idp, { ...grant, code_verifier: codeVerifier, ...parameters });
}

const loginForm = expect.stringContaining('name="password"') as string;

describe('the authorization code flow', () => {
  test('shows the login form, then redirects to the application with a code for tokens', async () => {
    const form = await visit();
    expect([form.status, form.text]).toEqual([200, loginForm]);
    const back = await browser.submit(form, { username: ana.email.toUpperCase(), password: ana.password });
    expect(back.url).toContain('http://localhost:5173/callback?from=login&');
    expect(Object.fromEntries(new URL(back.url).searchParams)).toMatchObject({ state: 'the-state', iss: idp.realmUrl });

    const { status, body } = await redeem(back);
    expect(status).toBe(200);
    const { payload: access } = await verified(idp, body['access_token']);
    const { payload: id } = await verified(idp, body['id_token']);
    expect(access).toMatchObject({ sub: ana.id, typ: 'Bearer', azp: 'profile-web', aud: 'profile-service', sid: expect.any(String) });
    expect(access).toMatchObject({ realm_access: { roles: ['super_admin'] }, auth_time: expect.any(Number) });
    expect(id).toMatchObject({ sub: ana.id, typ: 'ID', aud: 'profile-web', nonce: 'the-nonce', sid: access['sid'] });
    expect(decodeJwt(body['refresh_token'] ?? '')).toMatchObject({ typ: 'Refresh', sid: access['sid'] });
  });

  test('shows the form again after a wrong password, with the username escaped', async () => {
    const again = await browser.submit(await visit(), { username: '"><script>alert(1)</script>', password: 'no' });
    expect([again.status, again.text]).toEqual([200, expect.stringContaining('Invalid username or password.')]);
    expect(again.text).not.toContain('<script>alert');
    expect((await browser.submit(again, { username: bob.email, password: bob.password })).url).toContain('code=');
  });

  test('asks for the login again within a session only with prompt=login, and not at all with prompt=none', async () => {
    expect((await visit({ prompt: 'none' })).url).toMatch(/^http:\/\/localhost:5173\/callback.*error=login_required/);
    const first = await redeem(await logIn(ana));
    const second = await redeem(await visit({ prompt: 'none' }));
    expect(decodeJwt(second.body['access_token'] ?? '')['sid']).toBe(decodeJwt(first.body['access_token'] ?? '')['sid']);
    expect((await visit({ prompt: 'login' })).text).toEqual(loginForm);
  });

  test('requires PKCE with S256 from a public client, and issues no tokens for another verifier or a used code', async () => {
    for (const parameters of [request, { ...request, ...pkce, code_challenge_method: 'plain' }])
      expect((await authorize(parameters)).url).toContain('error=invalid_request');
    const refused = (error_description: string) => ({ status: 400, body: { error: 'invalid_grant', error_description } });
    const other = { code_verifier: 'x'.repeat(43) };
    expect(await redeem(await logIn(bob), other)).toEqual(refused('PKCE verification failed: Code mismatch'));
    const back = await visit();
    expect((await redeem(back)).status).toBe(200);
    expect(await redeem(back)).toEqual(refused('Code not valid'));
  });
});

test.each([
  ['profile-web', 'http://localhost:5173/a?b=c', 200],
  ['profile-web', 'http://localhost:80@evil.example/', 400],
  ['profile-web', 'https://evil.example/', 400],
  ['profile-service', 'http://localhost:3000', 200],
  ['app-a', 'http://localhost:3000/', 400],
  ['wild', 'http://localhost@evil.example/', 400],
])('the client %s with the redirect URI %s gets status %s', async (clientId, redirectUri, status) => {
  const page = await visit({ client_id: clientId, redirect_uri: redirectUri });
  expect([page.status, new URL(page.url).origin]).toEqual([status, idp.url]);
});

describe('logout', () => {
  const logOut = (parameters: Record<string, string>) =>
    browser.open(`${idp.realmUrl}/protocol/openid-connect/logout?${new URLSearchParams(parameters).toString()}`);

  test('with an ID token ends the session and its tokens, and redirects only to an address of the application', async () => {
    const { body } = await redeem(await logIn(ana));
    const page = await logOut({ id_token_hint: body['id_token'] ?? '', post_logout_redirect_uri: 'https://evil.example/' });
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('Invalid redirect uri')]);
    expect((await visit()).url).toContain('code=');
    const target = { post_logout_redirect_uri: 'http://localhost:5173/bye', state: 'left' };
    expect((await logOut({ id_token_hint: body['id_token'] ?? '', ...target })).url).toBe('http://localhost:5173/bye?state=left');
    expect((await visit()).text).toEqual(loginForm);
    expect((await refreshGrant(idp, body['refresh_token'])).body).toMatchObject({ error_description: 'Session not active' });
  });

  test('without an ID token asks for confirmation within a session', async () => {
    const target = { client_id: 'profile-web', post_logout_redirect_uri: 'http://localhost:5173/bye' };
    expect((await logOut(target)).url).toBe('http://localhost:5173/bye');
    await logIn(ana);
    const question = await logOut(target);
    expect(question.text).toContain('Do you want to log out?');
    expect((await browser.submit(question, { logout: 'yes' })).url).toBe('http://localhost:5173/bye');
    expect((await visit()).text).toEqual(loginForm);
  });
});

test('a login with required actions asks for a new password, or sends a mail to verify the e-mail', async () => {
  const withPassword = await createLogin(admin, { requiredActions: ['UPDATE_PASSWORD'] });
  const back = await browser.submit(await logIn(withPassword), { 'password-new': 'own', 'password-confirm': 'own' });
  expect((await redeem(back)).status).toBe(200);
  browser = new Browser(idp.url);
  expect((await logIn({ ...withPassword, password: 'own' })).url).toContain('code=');

  browser = new Browser(idp.url);
  const unverified = await createLogin(admin, { requiredActions: ['VERIFY_EMAIL'] });
  expect((await logIn(unverified)).text).toContain('You need to verify your email address');
  await expect.poll(() => idp.linksTo(unverified.email)).toHaveLength(1);
  browser = new Browser(idp.url);
  const [link = ''] = await idp.linksTo(unverified.email);
  await browser.confirmMail(link);
  const { body } = await redeem(await logIn(unverified));
  expect(decodeJwt(body['access_token'] ?? '')).toMatchObject({ email: unverified.email, email_verified: true });
});
