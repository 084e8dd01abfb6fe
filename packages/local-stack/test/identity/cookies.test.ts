import getPort from 'get-port';
import { expect, test } from 'vitest';
import { startLocalProvider } from './local-provider.ts';

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
const safari = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15';
const request = {
  client_id: 'profile-web',
  response_type: 'code',
  redirect_uri: 'http://localhost:5173/back',
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256',
};

test.each([
  ['for iframes', 'http on localhost', 'http://localhost', chrome],
  ['for iframes', 'http on localhost to Firefox', 'http://localhost', firefox],
  ['for iframes', 'http on 127.0.0.1', 'http://127.0.0.1', chrome],
  ['for iframes', 'http on [::1]', 'http://[::1]', chrome],
  ['that Safari accepts without https', 'http on localhost to Safari', 'http://localhost', safari],
  ['that browsers accept without https', 'http on another host', 'http://login.example.com', chrome],
  ['for iframes', 'https', 'https://login.example.com', chrome],
  ['for iframes', 'https to Safari', 'https://login.example.com', safari],
])('sets cookies %s over %s', async (kind, _case, publicUrl, agent) => {
  const port = await getPort();
  const idp = await startLocalProvider({ port, publicUrl });
  const url = `http://127.0.0.1:${port}/realms/profile/protocol/openid-connect/auth?${new URLSearchParams(request).toString()}`;
  const { headers } = await fetch(url, { redirect: 'manual', headers: { 'user-agent': agent } });
  const set = headers.getSetCookie().filter((cookie) => !/^[^=]+=;/.test(cookie));
  const attributes = set.map((cookie) => cookie.toLowerCase().match(/samesite=\w+|secure/g));
  expect(set.length).toBeGreaterThan(0);
  expect(attributes).toEqual(set.map(() => (kind === 'for iframes' ? ['samesite=none', 'secure'] : ['samesite=lax'])));
  await idp.stop();
});
