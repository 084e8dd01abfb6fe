import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Issuer, IssuerMismatchError, internalUrlRewrite, TokenVerifier } from '../src/index.ts';
import { type KeyServer, startKeyServer } from './key-server.ts';

const arrival = { timeout: 20_000, interval: 20 };
/** Shortest time between two fetches that tokens cause. */
const cooldownMs = 2_000;
const unauthorized = { code: 'UNAUTHORIZED' };
const unavailable = { code: 'IDENTITY_PROVIDER_UNAVAILABLE' };

let server: KeyServer;
let issuer: Issuer;
let verifier: TokenVerifier;

const verifierOf = (keysOf: Issuer) => new TokenVerifier({ issuer: keysOf, clientId: 'profile-service' });
const accepted = async (token: string) => expect((await verifier.verify(token)).sub).toBe('a-person');
const unknownKey = () => server.sign({}, { kid: crypto.randomUUID() });

beforeEach(async () => {
  server = await startKeyServer();
  issuer = new Issuer(server.issuer, internalUrlRewrite(server.issuer, undefined));
  verifier = verifierOf(issuer);
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await server.stop().catch(() => undefined);
});

/** Stops the clock of the cooldown, until `vi.advanceTimersByTime`. */
const stopClock = () => vi.useFakeTimers({ toFake: ['performance'] });
/** Makes the server wait with the keys until the returned function is called. */
function holdKeys(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.hold = promise;
  return () => {
    server.hold = undefined;
    resolve();
  };
}

describe('fetching the keys', () => {
  // Rules: AUTH-3
  test('happens once for many tokens at the same time, and once more for tokens with unknown keys', async () => {
    const tokens = await Promise.all(Array.from({ length: 50 }, () => server.sign()));
    expect(issuer.ready).toBe(false);
    await Promise.all(tokens.map(accepted));
    expect([issuer.ready, server.fetches]).toEqual([true, 1]);
    for (const fetches of [2, 3]) {
      const unknown = await Promise.all(Array.from({ length: 100 }, unknownKey));
      await Promise.all(unknown.map((token) => expect(verifier.verify(token)).rejects.toMatchObject(unauthorized)));
      expect(server.fetches).toBe(fetches);
    }
  });

  test('uses the internal URL, while tokens name the public issuer', async () => {
    const internal = await startKeyServer('https://id.example:8443');
    const behind = verifierOf(new Issuer(internal.issuer, internalUrlRewrite(internal.issuer, `${internal.origin}/`)));
    expect((await behind.verify(await internal.sign())).sub).toBe('a-person');
    const ofInternal = await internal.sign({ iss: `${internal.origin}/realms/profile` });
    await expect(behind.verify(ofInternal)).rejects.toMatchObject(unauthorized);
    await internal.stop();
  });

  // Rules: AUTH-2
  test('fails if the configuration names another issuer, unless it names the internal URL', async () => {
    const at = (url: string) => new Issuer(url, internalUrlRewrite(url, server.origin));
    await at('https://id.example/realms/profile').refresh();
    server.answer = (_request, response) => response.end(JSON.stringify({ issuer: server.issuer, jwks_uri: `${server.issuer}/certs` }));
    // A trailing slash is part of the issuer.
    for (const other of [at('https://id.example/realms/other'), new Issuer(`${server.issuer}/`, (address) => address)]) {
      await expect(other.refresh()).rejects.toThrow(IssuerMismatchError);
      expect(other.ready).toBe(false);
    }
  });

  test('ends after the timeout of the issuer', async () => {
    const release = holdKeys();
    const patient = issuer.refresh();
    const impatient = new Issuer(server.issuer, internalUrlRewrite(server.issuer, undefined), { timeoutMs: 100 });
    await expect(impatient.refresh()).rejects.toMatchObject({ name: 'TimeoutError' });
    release();
    await patient;
  });
});

describe('a rotated key', () => {
  // The service fetches the keys when it starts.
  beforeEach(() => issuer.refresh());

  test('is fetched again if a running fetch began before the rotation', async () => {
    const release = holdKeys();
    const refreshing = issuer.refresh();
    await vi.waitFor(() => expect(server.fetches).toBe(2), arrival);
    await server.rotate();
    const token = await server.sign();
    const verified = Promise.all([verifier.verify(token), verifier.verify(token)]);
    release();
    await refreshing;
    expect(await verified).toHaveLength(2);
    expect(server.fetches).toBe(3);
  });

  // Rules: AUTH-5
  test('is accepted while tokens with unknown keys arrive', async () => {
    await expect(verifier.verify(await unknownKey())).rejects.toMatchObject(unauthorized);
    await server.rotate();
    const [token, unknown] = [await server.sign(), await unknownKey()];
    const results = await Promise.allSettled([token, unknown, token].map(async (arrived) => verifier.verify(arrived)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('makes cached tokens of the removed key invalid', async () => {
    const old = await server.sign();
    await accepted(old);
    await server.rotate(true);
    await issuer.refresh();
    await accepted(old);
    await server.rotate();
    await issuer.refresh();
    await expect(verifier.verify(old)).rejects.toMatchObject(unauthorized);
  });
});

describe('an unreachable identity provider', () => {
  test('does not affect tokens of known keys: only tokens of unknown keys get IDENTITY_PROVIDER_UNAVAILABLE', async () => {
    stopClock();
    await accepted(await server.sign());
    const [good, unknown] = [await server.sign(), await unknownKey()];
    await server.stop();
    await expect(issuer.refresh()).rejects.toThrow('fetch failed');
    await accepted(good);
    await expect(verifier.verify(`${good.slice(0, -8)}AAAAAAAA`)).rejects.toMatchObject(unauthorized);
    await expect(verifier.verify(unknown)).rejects.toMatchObject(unavailable);
    await expect(verifier.verify(unknown)).rejects.toMatchObject(unavailable);
    await server.start();
    vi.advanceTimersByTime(cooldownMs);
    await expect(verifier.verify(unknown)).rejects.toMatchObject(unauthorized);
  });

  // Rules: AUTH-7
  test('causes IDENTITY_PROVIDER_UNAVAILABLE until it responds, and gets one request in 2 seconds, however many tokens arrive', async () => {
    const token = await server.sign();
    stopClock();
    let requests = 0;
    server.answer = (_request, response) => {
      requests += 1;
      response.writeHead(503).end();
    };
    for (let index = 0; index < 50; index += 1) await expect(verifier.verify(token)).rejects.toMatchObject(unavailable);
    expect([requests, issuer.ready]).toEqual([1, false]);
    server.answer = undefined;
    vi.advanceTimersByTime(cooldownMs);
    await accepted(token);
    expect(issuer.ready).toBe(true);
  });

  test('that hangs does not delay tokens with unknown keys, once a fetch has failed', async () => {
    await issuer.refresh();
    const timeout = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout.signal);
    server.answer = (_request, response) => response.writeHead(503).end();
    await expect(issuer.refresh()).rejects.toThrow('503');
    let isHanging = true;
    server.answer = () => undefined;
    // As the health check does.
    const refreshing = issuer.refresh().finally(() => (isHanging = false));
    for (let index = 0; index < 20; index += 1) await expect(verifier.verify(await unknownKey())).rejects.toMatchObject(unavailable);
    expect(isHanging).toBe(true);
    timeout.abort(new Error('The time is over'));
    await expect(refreshing).rejects.toThrow('The time is over');
  });
});

test.each<[string, { status?: number; headers?: Record<string, string>; body?: unknown; keys?: unknown }]>([
  ['HTML', { body: '<html></html>' }],
  ['a configuration without jwks_uri', { body: { issuer: 'x' } }],
  ['a jwks_uri that is not a URL', { body: { jwks_uri: 'certs' } }],
  ['null', { body: 'null' }],
  ['keys that are not a list', { keys: { keys: {} } }],
  ['status 500', { status: 500, body: {} }],
  ['a redirect', { status: 302, headers: { location: 'https://elsewhere.example' } }],
])('a response without keys causes IDENTITY_PROVIDER_UNAVAILABLE: %s', async (_name, { status = 200, headers = {}, body, keys }) => {
  server.answer = (request, response) => {
    const content = request.url?.endsWith('/certs') ? keys : (body ?? { issuer: server.issuer, jwks_uri: `${server.issuer}/certs` });
    response.writeHead(status, headers).end(typeof content === 'string' ? content : JSON.stringify(content));
  };
  await expect(verifier.verify(await server.sign())).rejects.toMatchObject(unavailable);
  expect(issuer.ready).toBe(false);
});
