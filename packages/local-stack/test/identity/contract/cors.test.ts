import { describe, expect, test } from 'vitest';
import { ana } from './realm-data.ts';
import { requestToken } from './requests.ts';
import { useProvider } from './start-provider.ts';

const idp = useProvider();

/** The origin of the client `frontend`. */
const origin = 'http://localhost:5173';
const readableBy = (allowed: string) => ({ 'access-control-allow-origin': allowed, 'access-control-allow-credentials': 'true' });
/** An origin that no client has. */
const unregistered = 'https://evil.example';
const endpoint = (name: string) => `${idp.realmUrl}/protocol/openid-connect/${name}`;
const corsHeaders = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => /^access-control-allow-(?:origin|credentials)$/.test(name)));

/** Sends the request of an application of another origin to an endpoint, with valid tokens of the client `frontend`. */
async function call(name: string, from: string): Promise<Response> {
  const { email: username, password } = ana;
  const grant = { grant_type: 'password', client_id: 'frontend', username, password, scope: 'openid' };
  const { access_token: access = '', refresh_token = '' } = (await requestToken(idp, grant)).body;
  if (name === 'userinfo') return fetch(endpoint(name), { headers: { origin: from, authorization: `Bearer ${access}` } });
  const form = name === 'token' ? { grant_type: 'refresh_token', refresh_token } : { refresh_token, token: refresh_token };
  const body = new URLSearchParams({ client_id: 'frontend', ...form });
  return fetch(endpoint(name), { method: 'POST', headers: { origin: from }, body });
}

describe.each(['token', 'userinfo', 'revoke', 'logout'])('the endpoint %s', (name) => {
  test('lets the origin of the client read the response to a request with cookies, and refuses another origin', async () => {
    const response = await call(name, origin);
    expect([response.ok, corsHeaders(response)]).toEqual([true, readableBy(origin)]);
    const refused = await call(name, unregistered);
    expect([refused.status, await refused.json(), corsHeaders(refused)]).toEqual([403, { error: 'Invalid origin' }, {}]);
  });

  test('passes a preflight request of every origin', async () => {
    const headers = { origin: unregistered, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
    const response = await fetch(endpoint(name), { method: 'OPTIONS', headers });
    expect([response.status, corsHeaders(response)]).toEqual([200, readableBy(unregistered)]);
    expect(response.headers.get('access-control-allow-headers')).toContain('Authorization');
    expect(response.headers.get('access-control-allow-methods')).toMatch(/GET|POST/);
  });
});
