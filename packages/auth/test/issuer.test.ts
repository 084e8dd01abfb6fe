import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Issuer, internalUrlRewrite, TokenVerifier } from '../src/index.ts';
import { type KeyServer, startKeyServer } from './key-server.ts';

const arrival = { timeout: 20_000, interval: 50 };
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
afterEach(() => server.stop().catch(() => undefined));

describe('fetching the keys', () => {
  // Rules: AUTH-3
  test('happens once for many tokens at the same time', async () => {
    const tokens = await Promise.all(Array.from({ length: 50 }, () => server.sign()));
    expect(issuer.ready).toBe(false);
    await Promise.all(tokens.map(accepted));
    expect(issuer.ready).toBe(true);
    expect(server.fetches).toBe(1);
  });

  test('uses IDENTITY_INTERNAL_URL while tokens name the public issuer', async () => {
    const internal = await startKeyServer('https://id.example:8443');
    try {
      const behind = new Issuer(internal.issuer, internalUrlRewrite(internal.issuer, `${internal.origin}/`));
      expect((await verifierOf(behind).verify(await internal.sign())).sub).toBe('a-person');
      await expect(verifierOf(behind).verify(await internal.sign({ iss: `${internal.origin}/realms/profile` }))).rejects.toMatchObject(
        unauthorized,
      );
    } finally {
      await internal.stop();
    }
  });

  // Rules: AUTH-2
  test('treats a trailing slash of the issuer as part of it', async () => {
    const slashed = new Issuer(`${server.issuer}/`, (address) => address);
    await expect(verifierOf(slashed).verify(await server.sign())).rejects.toMatchObject(unauthorized);
    expect((await verifierOf(slashed).verify(await server.sign({ iss: `${server.issuer}/` }))).sub).toBe('a-person');
  });
});

describe('a rotated key', () => {
  // As the start of the service does.
  beforeEach(() => issuer.refresh());

  // Rules: AUTH-5
  test('is fetched once for many tokens that name it', async () => {
    await server.rotate();
    const tokens = await Promise.all(Array.from({ length: 50 }, () => server.sign()));
    await Promise.all(tokens.map(accepted));
    expect(server.fetches).toBe(2);
  });

  test('is fetched again if a running fetch began before the rotation', async () => {
    let release = () => {};
    server.hold = new Promise((resolve) => (release = resolve));
    const refreshing = issuer.refresh();
    await vi.waitFor(() => expect(server.fetches).toBe(2), arrival);
    await server.rotate();
    const token = await server.sign();
    const verified = Promise.all([verifier.verify(token), verifier.verify(token)]);
    server.hold = undefined;
    release();
    await refreshing;
    expect(await verified).toHaveLength(2);
    expect(server.fetches).toBe(3);
  });

  test('is accepted soon after a fetch for an unknown key', async () => {
    await expect(verifier.verify(await unknownKey())).rejects.toMatchObject(unauthorized);
    await server.rotate();
    const token = await server.sign();
    await vi.waitFor(() => accepted(token), arrival);
  });

  test('invalidates remembered tokens of the removed key', async () => {
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

test('many tokens with unknown keys cause few fetches', async () => {
  await issuer.refresh();
  const startedAt = performance.now();
  for (let index = 0; index < 1_000; index += 1) await expect(verifier.verify(await unknownKey())).rejects.toMatchObject(unauthorized);
  const cooldowns = Math.floor((performance.now() - startedAt) / 2_000);
  expect(server.fetches).toBeGreaterThanOrEqual(2);
  expect(server.fetches).toBeLessThanOrEqual(2 + cooldowns);
});

describe('an identity provider that is not reachable', () => {
  test('keeps the known keys, and only tokens with unknown keys get IDENTITY_PROVIDER_UNAVAILABLE', async () => {
    await accepted(await server.sign());
    const [good, unknown] = [await server.sign(), await unknownKey()];
    await server.stop();
    await expect(issuer.refresh()).rejects.toThrow('fetch failed');
    await accepted(good);
    await expect(verifier.verify(`${good.slice(0, -8)}AAAAAAAA`)).rejects.toMatchObject(unauthorized);
    await expect(verifier.verify(unknown)).rejects.toMatchObject(unavailable);
    await expect(verifier.verify(unknown)).rejects.toMatchObject(unavailable);
    await server.start();
    await vi.waitFor(() => expect(verifier.verify(unknown)).rejects.toMatchObject(unauthorized), arrival);
  });

  // Rules: AUTH-7
  test('causes IDENTITY_PROVIDER_UNAVAILABLE from the start, until it is reachable', async () => {
    const token = await server.sign();
    await server.stop();
    for (let index = 0; index < 20; index += 1) await expect(verifier.verify(token)).rejects.toMatchObject(unavailable);
    expect(issuer.ready).toBe(false);
    await server.start();
    await vi.waitFor(() => accepted(token), arrival);
    expect(issuer.ready).toBe(true);
  });

  test('gets few requests, however many tokens arrive', async () => {
    let asked = 0;
    server.answer = (_request, response) => {
      asked += 1;
      response.writeHead(503).end();
    };
    const token = await server.sign();
    const startedAt = performance.now();
    for (let index = 0; index < 300; index += 1) await expect(verifier.verify(token)).rejects.toMatchObject(unavailable);
    expect(asked).toBeGreaterThanOrEqual(1);
    expect(asked).toBeLessThanOrEqual(1 + Math.floor((performance.now() - startedAt) / 2_000));
  });

  test('that hangs causes IDENTITY_PROVIDER_UNAVAILABLE after a timeout', async () => {
    server.answer = () => undefined;
    await expect(verifier.verify(await server.sign())).rejects.toMatchObject(unavailable);
  });
});

describe('a response without keys', () => {
  const json = (body: unknown) => () => ({ body: JSON.stringify(body) });
  test.each<[string, (url: string) => { status?: number; headers?: Record<string, string>; body?: string }]>([
    ['a page', () => ({ body: '<html></html>' })],
    ['a configuration without jwks_uri', json({ issuer: 'x' })],
    ['a jwks_uri that is no address', json({ jwks_uri: 'certs' })],
    ['null', json(null)],
    ['keys that are no list', (url) => json(url.endsWith('/certs') ? { keys: {} } : { jwks_uri: `${server.issuer}/certs` })()],
    ['an error', () => ({ status: 500, body: '{}' })],
    ['a way to elsewhere', () => ({ status: 302, headers: { location: 'https://elsewhere.example' } })],
  ])('counts as an outage and not as an invalid token: %s', async (_name, answerTo) => {
    server.answer = (request, response) => {
      const { status = 200, headers = {}, body = '' } = answerTo(request.url ?? '');
      response.writeHead(status, headers).end(body);
    };
    await expect(verifier.verify(await server.sign())).rejects.toMatchObject(unavailable);
    expect(issuer.ready).toBe(false);
  });
});
