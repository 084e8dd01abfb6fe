import { createHash, randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { Browser, type Page } from '../../../../../test/page-browser.ts';
import { ana, bob } from './realm-data.ts';
import { adminClient, newUser, requestToken, verified } from './requests.ts';
import { useProvider } from './start-provider.ts';

const application = 'http://localhost:5173/callback?from=login';
const idp = useProvider();
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
  const grant = {
    grant_type: 'authorization_code',
    client_id: 'profile-web',
    redirect_uri: application,
    code,
    code_verifier: codeVerifier,
  };
  return requestToken(idp, { ...grant, ...parameters });
}

async function createUser(fields: object): Promise<{ email: string; password: string }> {
  const login = { email: newUser().email, password: 'temporary' };
  const credentials = [{ type: 'password', value: login.password }];
  const admin = await adminClient(idp);
  await admin.users.create({ ...newUser(), email: login.email, credentials, ...fields });
  return login;
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

  test('skips the form within a session, unless prompt=login', async () => {
    const first = await redeem(await logIn(ana));
    const second = await redeem(await visit());
    expect(decodeJwt(second.body['access_token'] ?? '')['sid']).toBe(decodeJwt(first.body['access_token'] ?? '')['sid']);
    expect((await visit({ prompt: 'login' })).text).toEqual(loginForm);
  });

  test('redirects with login_required if prompt=none and there is no session', async () => {
    expect((await visit({ prompt: 'none' })).url).toMatch(/^http:\/\/localhost:5173\/callback.*error=login_required/);
  });

  test('issues no tokens for a code that was used', async () => {
    const back = await logIn(bob);
    await redeem(back);
    expect(await redeem(back)).toEqual({ status: 400, body: { error: 'invalid_grant', error_description: 'Code not valid' } });
  });

  test.each([
    ['another code verifier', { code_verifier: 'x'.repeat(43) }, 'PKCE verification failed: Code mismatch'],
    ['a code verifier that is too short', { code_verifier: 'x'.repeat(42) }, 'PKCE verification failed: Invalid code verifier'],
    ['another redirect URI', { redirect_uri: 'http://localhost:5173/other' }, 'Incorrect redirect_uri'],
    ['an unknown code', { code: 'nothing' }, 'Code not valid'],
  ])('issues no tokens for %s', async (_case, parameters, error_description) => {
    const response = await redeem(await logIn(bob), parameters as Record<string, string>);
    expect(response).toEqual({ status: 400, body: { error: 'invalid_grant', error_description } });
  });

  test('requires PKCE with S256 from a public client', async () => {
    expect((await visit({ code_challenge_method: 'plain' })).url).toContain('error=invalid_request');
    expect((await authorize(request)).url).toContain('error=invalid_request');
  });
});

test.each([
  ['profile-web', 'http://localhost:5173/a?b=c', 200],
  ['profile-web', 'http://user@localhost:5173/', 400],
  ['profile-web', 'http://localhost:80@evil.example/', 400],
  ['profile-web', 'http://localhost:5173/../x', 400],
  ['profile-web', 'https://evil.example/', 400],
  ['profile-service', 'http://localhost:3000', 200],
  ['profile-service', 'http://localhost:3001/', 400],
  ['app-a', 'http://localhost:3000/', 400],
  ['wild', 'http://localhost@evil.example/', 400],
])('the client %s with the redirect URI %s gets status %s', async (clientId, redirectUri, status) => {
  const page = await visit({ client_id: clientId, redirect_uri: redirectUri });
  expect([page.status, new URL(page.url).origin]).toEqual([status, idp.url]);
});

describe('logout', () => {
  const logOut = (parameters: Record<string, string>) =>
    browser.open(`${idp.realmUrl}/protocol/openid-connect/logout?${new URLSearchParams(parameters).toString()}`);

  test('with an ID token ends the session and its tokens, and redirects to the application', async () => {
    const { body } = await redeem(await logIn(ana));
    const target = { post_logout_redirect_uri: 'http://localhost:5173/bye', state: 'left' };
    expect((await logOut({ id_token_hint: body['id_token'] ?? '', ...target })).url).toBe('http://localhost:5173/bye?state=left');
    expect((await visit()).text).toEqual(loginForm);
    const refresh = { grant_type: 'refresh_token', client_id: 'profile-web', refresh_token: body['refresh_token'] ?? '' };
    expect(await requestToken(idp, refresh)).toEqual({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Session not active' },
    });
  });

  test('responds with 400 and keeps the session if the client does not allow the redirect URI', async () => {
    const { body } = await redeem(await logIn(ana));
    const page = await logOut({ id_token_hint: body['id_token'] ?? '', post_logout_redirect_uri: 'https://evil.example/' });
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('Invalid redirect uri')]);
    expect((await visit()).url).toContain('code=');
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

describe('a login with required actions', () => {
  const redeemed = async (page: Page) => decodeJwt((await redeem(page)).body['access_token'] ?? '');

  test('asks for a new password, then continues', async () => {
    const user = await createUser({ requiredActions: ['UPDATE_PASSWORD'] });
    const back = await browser.submit(await logIn(user), { 'password-new': 'own', 'password-confirm': 'own' });
    expect(await redeemed(back)).toMatchObject({ email: user.email, azp: 'profile-web' });
    browser = new Browser(idp.url);
    expect((await logIn({ ...user, password: 'own' })).url).toContain('code=');
  });

  test('sends a mail to verify the e-mail', async () => {
    const user = await createUser({ requiredActions: ['VERIFY_EMAIL'] });
    expect((await logIn(user)).text).toContain('You need to verify your email address');
    await expect.poll(() => idp.linksTo(user.email)).toHaveLength(1);
    browser = new Browser(idp.url);
    const [link = ''] = await idp.linksTo(user.email);
    await browser.confirmMail(link);
    expect(await redeemed(await logIn(user))).toMatchObject({ email: user.email, email_verified: true });
  });
});
