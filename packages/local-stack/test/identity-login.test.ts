import { createHash, randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { IdentityProvider } from '../src/identity/provider.ts';
import { Browser, type Shown } from './identity-browser.ts';
import { adminClient, ana, bob, requestToken, startRealm, verified } from './identity-realm.ts';

const application = 'http://localhost:5173/callback?from=login';
let idp: IdentityProvider;
let browser: Browser;

beforeAll(async () => {
  idp = await startRealm();
});
beforeEach(() => {
  browser = new Browser(idp.url);
});
afterAll(() => idp.stop());

const codeVerifier = randomBytes(32).toString('base64url');
const pkce = { code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'), code_challenge_method: 'S256' };

/** Goes to the authorization endpoint as a web page would send the browser there. */
function visit(parameters: Record<string, string> = {}): Promise<Shown> {
  const request = {
    client_id: 'profile-web',
    redirect_uri: application,
    response_type: 'code',
    scope: 'openid',
    state: 'the-state',
    nonce: 'the-nonce',
  };
  return browser.open(
    `${idp.realmUrl}/protocol/openid-connect/auth?${new URLSearchParams({ ...request, ...pkce, ...parameters }).toString()}`,
  );
}

async function logIn(person: { email: string; password: string }): Promise<Shown> {
  return browser.submit(await visit(), { username: person.email, password: person.password });
}

function redeem(page: Shown, more: Record<string, string> = {}) {
  const code = new URL(page.url).searchParams.get('code') ?? '';
  const grant = {
    grant_type: 'authorization_code',
    client_id: 'profile-web',
    redirect_uri: application,
    code,
    code_verifier: codeVerifier,
  };
  return requestToken(idp, { ...grant, ...more });
}

describe('the authorization code flow', () => {
  test('leads through the login form back to the application with a code for tokens', async () => {
    const form = await visit();
    expect([form.status, form.text]).toEqual([200, expect.stringContaining('name="password"')]);
    const back = await browser.submit(form, { username: ana.email.toUpperCase(), password: ana.password });
    expect(back.url).toContain('http://localhost:5173/callback?from=login&');
    expect(Object.fromEntries(new URL(back.url).searchParams)).toMatchObject({
      state: 'the-state',
      iss: idp.realmUrl,
      code: expect.any(String),
    });

    const { status, body } = await redeem(back);
    expect(status).toBe(200);
    const [{ payload: access }, { payload: id }] = [await verified(idp, body['access_token']), await verified(idp, body['id_token'])];
    expect(access).toMatchObject({ sub: ana.id, typ: 'Bearer', azp: 'profile-web', aud: 'profile-service', sid: expect.any(String) });
    expect(access).toMatchObject({
      realm_access: { roles: ['super_admin'] },
      scope: 'openid profile email',
      auth_time: expect.any(Number),
    });
    expect(id).toMatchObject({
      sub: ana.id,
      typ: 'ID',
      aud: 'profile-web',
      nonce: 'the-nonce',
      sid: access['sid'],
      at_hash: expect.any(String),
    });
    expect(decodeJwt(body['refresh_token'] ?? '')).toMatchObject({ typ: 'Refresh', sid: access['sid'] });
  });

  test('shows the form again, with what was typed escaped, when the password is wrong', async () => {
    const again = await browser.submit(await visit(), { username: '"><script>alert(1)</script>', password: 'no' });
    expect([again.status, again.text]).toEqual([200, expect.stringContaining('Invalid username or password.')]);
    expect(again.text).not.toContain('<script>');
    expect(again.text).toContain('value="&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;"');
    expect((await browser.submit(again, { username: bob.email, password: bob.password })).url).toContain('code=');
  });

  test('does not ask again within a session, and asks after prompt=login', async () => {
    const first = await redeem(await logIn(ana));
    const second = await redeem(await visit());
    expect(decodeJwt(second.body['access_token'] ?? '')['sid']).toBe(decodeJwt(first.body['access_token'] ?? '')['sid']);
    expect((await visit({ prompt: 'login' })).text).toContain('name="password"');
  });

  test('asks nobody for consent', async () => {
    await logIn(ana);
    expect((await visit({ prompt: 'consent' })).url).toContain('error=invalid_request');
  });

  test('answers login_required where nobody may be asked', async () => {
    expect((await visit({ prompt: 'none' })).url).toMatch(/^http:\/\/localhost:5173\/callback.*error=login_required/);
  });

  test('tells a disabled person only after the right password', async () => {
    const admin = await adminClient(idp);
    const credentials = [{ type: 'password', value: 'secret' }];
    await admin.users.create({ email: 'off@example.com', firstName: 'Off', lastName: 'Line', credentials });
    const wrong = await logIn({ email: 'off@example.com', password: 'no' });
    expect(wrong.text).toContain('Invalid username or password.');
    const right = await browser.submit(wrong, { username: 'off@example.com', password: 'secret' });
    expect(right.text).toContain('Account is disabled');
  });

  test.each([
    ['a code that is used already', {}, 'Code not valid', true],
    ['another verifier', { code_verifier: 'x'.repeat(43) }, 'PKCE verification failed: Code mismatch', false],
    ['another redirect URI', { redirect_uri: 'http://localhost:5173/other' }, 'Incorrect redirect_uri', false],
    ['a code of nobody', { code: 'nothing' }, 'Code not valid', false],
  ])('gives no tokens for %s', async (_case, special, description, used) => {
    const back = await logIn(bob);
    if (used) await redeem(back);
    expect(await redeem(back, special as Record<string, string>)).toEqual({
      status: 400,
      body: { error: 'invalid_grant', error_description: description },
    });
  });

  test('demands PKCE with S256 of a public client', async () => {
    expect((await visit({ code_challenge_method: 'plain' })).url).toContain('error=invalid_request');
    const request = { client_id: 'profile-web', redirect_uri: application, response_type: 'code', scope: 'openid' };
    const without = await browser.open(`${idp.realmUrl}/protocol/openid-connect/auth?${new URLSearchParams(request).toString()}`);
    expect(without.url).toContain('error=invalid_request');
  });
});

describe('redirect URIs', () => {
  test.each([
    ['profile-web', 'http://localhost:5173', true],
    ['profile-web', 'http://localhost:5173/a?b=c', true],
    ['profile-web', 'http://localhost/', false],
    ['profile-web', 'http://user@localhost:5173/', false],
    ['profile-web', 'http://localhost:80@evil.example/', false],
    ['profile-web', 'http://localhost:5173/../x', false],
    ['profile-web', 'https://evil.example/', false],
    ['profile-service', 'http://localhost:3000/docs', true],
    ['profile-service', 'http://localhost:3000', true],
    ['profile-service', 'http://localhost:3001/', false],
    ['app-a', 'http://localhost:3000/', false],
    ['wild', 'http://localhost:1234/x', true],
    ['wild', 'http://localhost@evil.example/', false],
  ])('of %s: %s is allowed: %s', async (clientId, redirectUri, allowed) => {
    const page = await visit({ client_id: clientId, redirect_uri: redirectUri });
    expect([page.status, new URL(page.url).origin]).toEqual([allowed ? 200 : 400, idp.url]);
  });
});

describe('logging out', () => {
  const leave = (parameters: Record<string, string>) =>
    browser.open(`${idp.realmUrl}/protocol/openid-connect/logout?${new URLSearchParams(parameters).toString()}`);

  test('with an ID token ends the session at once and leads back', async () => {
    const { body } = await redeem(await logIn(ana));
    const target = { post_logout_redirect_uri: 'http://localhost:5173/bye', state: 'left' };
    expect((await leave({ id_token_hint: body['id_token'] ?? '', ...target })).url).toBe('http://localhost:5173/bye?state=left');
    expect((await visit()).text).toContain('name="password"');
    const refreshed = await requestToken(idp, {
      grant_type: 'refresh_token',
      client_id: 'profile-web',
      refresh_token: body['refresh_token'] ?? '',
    });
    expect(refreshed).toEqual({ status: 400, body: { error: 'invalid_grant', error_description: 'Session not active' } });
    const userinfo = await fetch(`${idp.realmUrl}/protocol/openid-connect/userinfo`, {
      headers: { authorization: `Bearer ${body['access_token']}` },
    });
    expect(userinfo.status).toBe(401);
  });

  test('with an ID token that is past its time ends the session too', async () => {
    const { body } = await redeem(await logIn(ana));
    const old = await idp.sign({ typ: 'ID', azp: 'profile-web', sid: body['session_state'] }, { expiresIn: -3600 });
    expect((await leave({ id_token_hint: old })).text).toContain('You are logged out');
    expect((await visit()).text).toContain('name="password"');
  });

  test('leads nowhere else, and then keeps the session', async () => {
    const { body } = await redeem(await logIn(ana));
    const page = await leave({ id_token_hint: body['id_token'] ?? '', post_logout_redirect_uri: 'https://evil.example/' });
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('Invalid redirect uri')]);
    expect((await visit()).url).toContain('code=');
  });

  test('without an ID token asks first, unless nobody is logged in', async () => {
    const target = { client_id: 'profile-web', post_logout_redirect_uri: 'http://localhost:5173/bye' };
    expect((await leave(target)).url).toBe('http://localhost:5173/bye');
    await logIn(ana);
    const question = await leave(target);
    expect(question.text).toContain('Do you want to log out?');
    expect((await visit()).url).toContain('code=');
    expect((await browser.submit(await leave(target), { logout: 'yes' })).url).toBe('http://localhost:5173/bye');
    expect((await visit()).text).toContain('name="password"');
  });
});

describe('a person with something to do first', () => {
  async function newcomer(special: object): Promise<{ email: string; password: string }> {
    const person = { email: `${crypto.randomUUID()}@example.com`, password: 'temporary' };
    const credentials = [{ type: 'password', value: person.password }];
    const admin = await adminClient(idp);
    await admin.users.create({ email: person.email, firstName: 'Nova', lastName: 'Pessoa', enabled: true, credentials, ...special });
    return person;
  }

  test('sets the new password, then logs in where they began', async () => {
    const person = await newcomer({ requiredActions: ['UPDATE_PASSWORD'] });
    const done = await browser.submit(await logIn(person), { 'password-new': 'own', 'password-confirm': 'own' });
    const onward = /<a href="([^"]+)">Back to Application/.exec(done.text)?.[1] ?? '';
    const back = await browser.submit(await browser.open(onward), { username: person.email, password: 'own' });
    expect((await redeem(back)).status).toBe(200);
  });

  test('tells the missing names', async () => {
    const person = await newcomer({ lastName: '' });
    const refused = await browser.submit(await logIn(person), { firstName: 'Nova;', lastName: 'Pessoa' });
    expect(refused.text).toContain('invalid character');
    await browser.submit(refused, { firstName: 'Nova', lastName: 'Pessoa' });
    expect((await redeem(await logIn(person))).status).toBe(200);
  });

  test('gets the way to a verified e-mail by mail', async () => {
    const person = await newcomer({ requiredActions: ['VERIFY_EMAIL'] });
    expect((await logIn(person)).text).toContain('You need to verify your email address');
    const mail = idp.mails.find(({ to }) => to === person.email);
    await browser.submit(await browser.open(mail?.link ?? ''), {});
    const { body } = await redeem(await logIn(person));
    expect(decodeJwt(body['access_token'] ?? '')).toMatchObject({ email: person.email, email_verified: true });
  });
});
