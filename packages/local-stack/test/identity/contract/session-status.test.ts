import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Browser } from '../../../../../test/page-browser.ts';
import { ana, application } from './realm-data.ts';
import { requestToken } from './requests.ts';
import { startProvider } from './start-provider.ts';
import type { TestedProvider } from './tested-provider.ts';

let idp: TestedProvider;
beforeAll(async () => {
  idp = await startProvider();
});
afterAll(() => idp.stop());

const endpoint = (name: string) => `${idp.realmUrl}/protocol/openid-connect/${name}`;

test.each(['3p-cookies/step1.html', '3p-cookies/step2.html', 'login-status-iframe.html'])(
  '%s is a page that may be framed',
  async (name) => {
    const response = await fetch(endpoint(name));
    expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([200, 'text/html']);
    expect(response.headers.get('content-security-policy')).not.toContain('frame-ancestors');
    expect(response.headers.get('x-frame-options')).toBeNull();
    expect(await response.text()).toContain('<script type="module">');
  },
);

test.each(['3p-cookies/step1.html', 'login-status-iframe.html', 'login-status-iframe.html/init'])(
  '%s is only below protocol/openid-connect',
  async (name) => {
    expect((await fetch(`${idp.realmUrl}/${name}`)).status).toBe(404);
  },
);

test.each([
  [204, 'the client', { client_id: 'frontend', origin: 'http://localhost:5173' }],
  [403, 'another port', { client_id: 'frontend', origin: 'http://localhost:5174' }],
  [403, 'another host', { client_id: 'frontend', origin: 'https://evil.example' }],
  [403, 'no origin', { client_id: 'frontend' }],
  [403, 'no client', { origin: 'http://localhost:5173' }],
  [403, 'an unknown client', { client_id: 'nobody', origin: 'http://localhost:5173' }],
  [403, 'a client without login', { client_id: application.clientId, origin: 'http://localhost:5173' }],
])('login-status-iframe.html/init responds with %i to %s', async (status, _case, query) => {
  const parameters = new URLSearchParams(query as Record<string, string>);
  expect((await fetch(`${endpoint('login-status-iframe.html/init')}?${parameters.toString()}`)).status).toBe(status);
});

describe('a login in a browser', () => {
  const codeVerifier = 'v'.repeat(43);
  const redirect = { client_id: 'frontend', redirect_uri: 'http://localhost:5173/back' };
  const challenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const request = { ...redirect, response_type: 'code', scope: 'openid', code_challenge: challenge, code_challenge_method: 'S256' };
  let browser: Browser;
  let back: URL;
  beforeEach(async () => {
    browser = new Browser(idp.url);
    const page = await browser.open(`${endpoint('auth')}?${new URLSearchParams(request).toString()}`);
    back = new URL((await browser.submit(page, { username: ana.email, password: ana.password })).url);
  });

  /** The value of the cookie that the status iframe reads. */
  const sessionCookie = () => browser.cookieLines.findLast((line) => line.startsWith('KEYCLOAK_SESSION='))?.split(/[=;]/)[1];
  const hash = () =>
    createHash('sha384')
      .update(back.searchParams.get('session_state') ?? '')
      .digest('base64url');

  test('returns the id of the session, and sets a cookie with its hash for the status iframe', () => {
    expect(back.searchParams.get('session_state')).toMatch(/.{10}/);
    expect(sessionCookie()).toBe(hash());
    expect(browser.cookieLines.filter((line) => line.startsWith('KEYCLOAK_SESSION='))).not.toContainEqual(
      expect.stringMatching(/httponly/i),
    );
  });

  test('sets cookies that iframes of other sites get', () => {
    const set = browser.cookieLines.filter((line) => !/^[^=]+=;|max-age=0|expires=thu, 01 jan 1970/i.test(line));
    expect(set.filter((line) => !(/; ?samesite=none/i.test(line) && /; ?secure/i.test(line)))).toEqual([]);
    expect(set.length).toBeGreaterThan(2);
  });

  test('ends with a logout that deletes the cookie, with an ID token', async () => {
    const grant = { grant_type: 'authorization_code', ...redirect, code: back.searchParams.get('code') ?? '', code_verifier: codeVerifier };
    const { body } = await requestToken(idp, grant);
    await browser.open(`${endpoint('logout')}?${new URLSearchParams({ id_token_hint: body['id_token'] ?? '' }).toString()}`);
    expect(sessionCookie()).toBe('');
  });

  test('ends with a logout that deletes the cookie, after a confirmation', async () => {
    const question = await browser.open(endpoint('logout'));
    expect(sessionCookie()).toBe(hash());
    await browser.submit(question, { logout: 'yes' });
    expect(sessionCookie()).toBe('');
  });
});
