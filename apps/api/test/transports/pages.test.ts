import { existsSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { endpoints, errors, errorsOf } from '@profile-service/contracts';
import { describe, expect, test } from 'vitest';
import committed from '../../openapi.json' with { type: 'json' };
import { pagesOfErrors } from '../../src/transports/pages/errors-page.ts';
import { toHtml } from '../../src/transports/pages/html.ts';
import { useWorld } from '../support/world.ts';
import { send } from './request.ts';

const world = useWorld({ PUBLIC_URL: 'https://profile.example/' });

const get = (path: string, headers: Record<string, string> = {}) => send(world.service.url, `GET ${path}`, { headers });

test('/openapi.json is the committed document with the public address', async () => {
  expect(JSON.parse((await get('/openapi.json')).text)).toEqual({ ...committed, servers: [{ url: 'https://profile.example' }] });
});

test('/ links to the public pages and shows nothing else', async () => {
  const { headers, text } = await get('/');
  expect(new Set([...text.matchAll(/href="([^"]*)"/g)].map(([, address]) => address))).toEqual(
    new Set(['./', './favicon.svg', '#content', './docs', './openapi.json', './errors']),
  );
  expect(text).not.toMatch(/@example|token|realms/);
  expect(headers['content-security-policy']).not.toContain('script-src');
});

// Rules: ERRORS-4
test('/errors describes every code at the URL that problem documents have as their type', async () => {
  const { text } = await get('/errors');
  const found = text.matchAll(/<article[^>]* id="([^"]*)">(.*?)<\/article>/gs);
  const articles = Object.fromEntries([...found].map(([, code = '', html = '']) => [code, html]));
  expect(Object.keys(articles).toSorted()).toEqual(Object.keys(errors).toSorted());
  for (const [code, { status, title, when, cause, action }] of Object.entries(errors))
    for (const part of [code, String(status), title, when, cause, action]) expect(articles[code]).toContain(toHtml(part));
  for (const [code, page] of Object.entries(pagesOfErrors)) {
    expect(articles[code]).toContain(page);
    expect(existsSync(new URL(`../../../../${page}`, import.meta.url))).toBe(true);
  }
  const problem = await get('/unknown');
  expect(JSON.parse(problem.text)).toMatchObject({ type: 'https://profile.example/errors#ROUTE_NOT_FOUND' });
  const declaring = endpoints.filter(({ endpoint }) => errorsOf(endpoint).includes('USER_NOT_FOUND'));
  expect(articles['USER_NOT_FOUND']?.match(/<li>/g)).toHaveLength(declaring.length);
});

describe.each([
  ['/', 2, 'text/html; charset=utf-8'],
  ['/errors', 5, 'text/html; charset=utf-8'],
  ['/openapi.json', 10, 'application/json; charset=utf-8'],
  ['/docs/openapi.json', 10, 'application/json; charset=utf-8'],
  ['/docs/scalar.js', 3, 'text/javascript; charset=utf-8'],
] as const)('%s', (path, ratio, type) => {
  test('is sent in the best encoding that the client accepts, and may be cached for ever at the address with its version', async () => {
    const plain = await get(path);
    expect(plain.headers).toMatchObject({ 'content-type': type, vary: 'Accept-Encoding', 'cache-control': 'no-cache' });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    const tags = new Set([plain.headers.etag]);
    for (const [accepted, encoding, decode] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['br;q=0, GZIP', 'gzip', gunzipSync],
    ] as const) {
      const { headers, bytes } = await get(path, { 'accept-encoding': accepted });
      expect([accepted, headers['content-encoding'], headers.vary]).toEqual([accepted, encoding, 'Accept-Encoding']);
      expect(bytes.length * ratio).toBeLessThan(plain.bytes.length);
      expect(decode(bytes).equals(plain.bytes)).toBe(true);
      tags.add(headers.etag);
    }
    expect(tags.size).toBe(3);
    const cachingOf = async (version = '') => (await get(`${path}?v=${version}`)).headers['cache-control'];
    expect(await cachingOf(plain.headers.etag?.replaceAll('"', ''))).toBe('public, max-age=31536000, immutable');
    expect(await cachingOf('other')).toBe('no-cache');
  });

  test('is 304 for a client that has it in this encoding, and has the same headers for HEAD', async () => {
    const accept = { 'accept-encoding': 'br' };
    const { headers } = await get(path, accept);
    const { etag = '' } = headers;
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
      expect(await get(path, { ...accept, 'if-none-match': tag })).toMatchObject({ status: 304, headers: { etag }, text: '' });
    expect((await get(path, { 'if-none-match': etag })).status).toBe(200);
    expect((await get(path, { ...accept, 'if-none-match': '"other"' })).status).toBe(200);
    const head = await send(world.service.url, `HEAD ${path}`, { headers: accept });
    const fixed = ({ date: _, 'x-request-id': __, ratelimit: ___, ...rest }: typeof headers) => rest;
    expect([head.status, fixed(head.headers), head.bytes.length]).toEqual([200, fixed(headers), 0]);
  });
});

test.each([
  ['/errors', './'],
  ['/errors/', '../'],
  ['/docs', './'],
  ['/docs/', '../'],
])('the addresses in %s are relative to %s, so that it works behind a proxy with a path prefix', async (path, base) => {
  const { text } = await get(path);
  const addresses = [...text.matchAll(/(?:src|href|"url")[=:] ?"([^"#]+)"/g)].map(([, address = '']) => address);
  expect(addresses.length).toBeGreaterThan(1);
  for (const address of addresses) expect(address.startsWith(base)).toBe(true);
});

describe('/docs', () => {
  test('loads nothing from other hosts, except tokens from the identity provider', async () => {
    const { headers, text } = await get('/docs');
    expect(text).toContain('<title>Profile service</title>');
    const addresses = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses).toEqual(['./favicon.svg', expect.stringMatching(/^\.\/docs\/scalar\.js\?v=[\w-]{22}$/)]);
    expect(text.match(/https?:\/\/[^"'\s]+/g)).toBeNull();
    const sources = String(headers['content-security-policy']).match(/https?:\/\/[^\s;]+/g);
    expect(new Set(sources)).toEqual(new Set([new URL(world.identity.url).origin]));
  });

  test('allows its scripts with a new nonce for each response', async () => {
    const responses = [await get('/docs'), await get('/docs')];
    const nonces = responses.map(({ text, headers }) => {
      const scripts = [...text.matchAll(/<script\b([^>]*)>/g)].map(([, attributes = '']) => attributes);
      const [, nonce = ''] = /'nonce-([^']+)'/.exec(String(headers['content-security-policy'])) ?? [];
      for (const attributes of scripts) expect(attributes).toMatch(new RegExp(`nonce="${nonce.replaceAll('+', '\\+')}"|src="./docs/`));
      return nonce;
    });
    expect(new Set(nonces).size).toBe(2);
  });

  test('shows the OpenAPI document, with a login if DOCS_CLIENT_ID is set', async () => {
    const without = await get('/docs/openapi.json');
    const security = [{ userToken: [] }, { serviceToken: [] }];
    expect(JSON.parse(without.text)).toEqual({ ...(JSON.parse((await get('/openapi.json')).text) as object), security });
    const { url } = await world.another({ DOCS_CLIENT_ID: 'web' });
    const { text } = await send(url, 'GET /docs/openapi.json');
    const { components } = JSON.parse(text) as typeof committed;
    expect(components.securitySchemes.userToken).toMatchObject({
      type: 'oauth2',
      flows: { authorizationCode: { authorizationUrl: `${world.identity.realmUrl}/protocol/openid-connect/auth` } },
    });
  });
});
