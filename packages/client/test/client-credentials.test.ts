import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { listen } from '../../../test/listen.ts';
import { clientCredentials } from '../src/index.ts';
import { query, type Reply, startStub, succeeded } from './stub.ts';

/** A token endpoint that issues `token-1`, `token-2` and so on. */
let provider: Server;
let url: string;
let requests: { path: string; form: Record<string, string> }[];
let lifetime: number;
let failure: { status: number; body: string } | undefined;
/** What the provider sends before it hangs. Undefined: it does not hang. */
let sentBeforeHang: string | undefined;

beforeEach(async () => {
  requests = [];
  lifetime = 300;
  failure = undefined;
  sentBeforeHang = undefined;
  provider = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push({ path: request.url ?? '', form: Object.fromEntries(new URLSearchParams(body)) });
      if (sentBeforeHang !== undefined) return sentBeforeHang && response.write(sentBeforeHang);
      if (request.url?.endsWith('/openid-configuration')) return response.end(JSON.stringify({ token_endpoint: `${url}/token` }));
      if (failure) return response.writeHead(failure.status).end(failure.body);
      const issued = requests.filter(({ path }) => path === '/token').length;
      return response.end(JSON.stringify({ access_token: `token-${issued}`, expires_in: lifetime }));
    });
  });
  url = `http://127.0.0.1:${await listen(provider)}`;
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  provider.closeAllConnections();
  await once(provider.close(), 'close');
});

const secret = 'demo-harvest-secret';
const source = (options = {}) => clientCredentials({ tokenUrl: `${url}/token`, clientId: 'harvest', clientSecret: secret, ...options });

describe('clientCredentials', () => {
  test('gets one token at the token endpoint for concurrent calls, and keeps it', async () => {
    const token = source({ scope: 'profile email' });
    const tokens = await Promise.all(Array.from({ length: 10 }, () => token()));
    expect(new Set([...tokens, await token()])).toEqual(new Set(['token-1']));
    const form = { grant_type: 'client_credentials', client_id: 'harvest', client_secret: secret, scope: 'profile email' };
    expect(requests).toEqual([{ path: '/token', form }]);
  });

  test('discovers the token endpoint of an issuer once', async () => {
    lifetime = 0;
    const token = clientCredentials({ issuer: `${url}/realms/profile/`, clientId: 'harvest', clientSecret: secret });
    expect([await token(), await token()]).toEqual(['token-1', 'token-2']);
    expect(requests.map(({ path }) => path)).toEqual(['/realms/profile/.well-known/openid-configuration', '/token', '/token']);
  });

  test.each([
    [300, 269, 271],
    [20, 9, 11],
  ])('renews a token with a lifetime of %i seconds once, after %i to %i seconds', async (seconds, before, after) => {
    lifetime = seconds;
    vi.useFakeTimers({ toFake: ['Date'] });
    const token = source();
    const start = Date.now();
    await token();
    vi.setSystemTime(start + before * 1000);
    expect(await token()).toBe('token-1');
    vi.setSystemTime(start + after * 1000);
    expect(await Promise.all([token(), token()])).toEqual(['token-2', 'token-2']);
  });

  test('renews a rejected token once for concurrent calls', async () => {
    const token = source();
    await token();
    const rejected = { rejected: 'token-1' };
    expect(await Promise.all([token(rejected), token(rejected), token()])).toEqual(['token-2', 'token-2', 'token-1']);
    expect(await token(rejected)).toBe('token-2');
  });

  test.each([
    [401, '{"error":"unauthorized_client","error_description":"Wrong demo-harvest-secret"}', secret, '401 unauthorized_client: Wrong ***'],
    [401, '{"error":"unauthorized_client"}', '', '401 unauthorized_client'],
    [502, '<h1>Bad gateway</h1>', secret, '502'],
  ])('fails without the secret after %i %s, and tries again at the next call', async (status, body, clientSecret, reason) => {
    failure = { status, body };
    const token = source({ clientSecret });
    const message = `The token could not be obtained: ${url}/token responded with ${reason}`;
    await expect(token()).rejects.toMatchObject({ name: 'ProfileError', code: 'TOKEN_FAILED', message });
    failure = undefined;
    expect(await token()).toBe('token-2');
  });

  test('fails with TOKEN_FAILED if the endpoint is unreachable', async () => {
    const message = expect.stringMatching(/http:\/\/127.0.0.1:9 is unreachable: fetch failed \(.+\)$/);
    await expect(source({ tokenUrl: 'http://127.0.0.1:9' })()).rejects.toMatchObject({ code: 'TOKEN_FAILED', message });
  });

  test.each([
    ['before the response', ''],
    ['in the middle of the response', '{"access_token":'],
  ])('fails with TOKEN_FAILED if the endpoint hangs %s, and tries again at the next call', async (_when, sent) => {
    sentBeforeHang = sent;
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.timeout(100));
    const token = source();
    await expect(token()).rejects.toMatchObject({ code: 'TOKEN_FAILED', message: expect.stringContaining('aborted due to timeout') });
    expect(timeout).toHaveBeenCalledWith(10_000);
    timeout.mockRestore();
    sentBeforeHang = undefined;
    expect(await token()).toBe('token-2');
  });
});

describe('after a 401', () => {
  const unauthorized: Reply = { status: 401, code: 'UNAUTHORIZED' };

  test('a batch is sent once more with a new token', async () => {
    const stub = await startStub(unauthorized, succeeded);
    const client = stub.client({ token: source() });
    const apps = await Promise.all(['1', '2'].map((id) => client.apps.update.mutate({ id, name: 'Silo' })));
    expect(apps).toHaveLength(2);
    expect(stub.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  test.each([
    ['a new token that is rejected too', () => source(), ['Bearer token-1', 'Bearer token-2']],
    ['a value as token', () => 'same', ['Bearer same']],
    ['a function that returns the same token', () => () => 'same', ['Bearer same']],
    ['a function that returns no other token', () => (old: { rejected?: string }) => (old.rejected ? undefined : 'same'), ['Bearer same']],
  ])('a call with %s fails', async (_kind, createToken, authorizations) => {
    const stub = await startStub(unauthorized);
    await expect(query(stub.client({ token: createToken() }))).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
    expect(stub.received.map(({ headers }) => headers.authorization)).toEqual(authorizations);
  });
});
