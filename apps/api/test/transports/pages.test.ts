import { existsSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { endpoints, errors, errorsOf } from '@profile-service/contracts';
import { describe, expect, test } from 'vitest';
import committed from '../../openapi.json' with { type: 'json' };
import { pagesOfErrors } from '../../src/transports/pages/errors-page.ts';
import { useWorld } from '../support/world.ts';
import { send } from './request.ts';

const world = useWorld({ PUBLIC_URL: 'https://profile.example/' });

const get = (path: string, headers: Record<string, string> = {}) => send(world.service.url, `GET ${path}`, { headers });

/** Returns the text of HTML without its tags. */
const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

test.each([
  ['/', 'text/html; charset=utf-8'],
  ['/errors', 'text/html; charset=utf-8'],
  ['/docs', 'text/html; charset=utf-8'],
  ['/docs/scalar.js', 'text/javascript; charset=utf-8'],
  ['/openapi.json', 'application/json; charset=utf-8'],
  ['/favicon.ico', 'image/x-icon'],
  ['/favicon.svg', 'image/svg+xml; charset=utf-8'],
])('%s is %s', async (path, type) => {
  const { status, headers } = await get(path);
  expect([status, headers['content-type']]).toEqual([200, type]);
});

test('/openapi.json is the committed document with the public address', async () => {
  const { text } = await get('/openapi.json');
  expect(JSON.parse(text)).toEqual({ ...committed, servers: [{ url: 'https://profile.example' }] });
});

test('/ links to the public pages and shows nothing else', async () => {
  const { headers, text } = await get('/');
  expect(new Set([...text.matchAll(/href="([^"]*)"/g)].map(([, address]) => address))).toEqual(
    new Set(['./', './favicon.svg', '#content', './docs', './openapi.json', './errors']),
  );
  expect(text).not.toMatch(/@example|token|realms/);
  expect(headers['content-security-policy']).not.toContain('script-src');
});

describe('/errors', () => {
  // Rules: ERRORS-4
  test('describes every code at the URL that problem documents have as their type', async () => {
    const { text } = await get('/errors');
    const articles = new Map(
      [...text.matchAll(/<article[^>]* id="([^"]*)">(.*?)<\/article>/gs)].map(([, code = '', html = '']) => [code, textOf(html)]),
    );
    expect([...articles.keys()].toSorted()).toEqual(Object.keys(errors).toSorted());
    for (const [code, { status: ofCode, title, when, cause, action }] of Object.entries(errors))
      for (const part of [code, String(ofCode), title, when, cause, action]) expect(articles.get(code)).toContain(part.replaceAll('`', ''));
    for (const [code, page] of Object.entries(pagesOfErrors)) {
      expect(articles.get(code)).toContain(page);
      expect(existsSync(new URL(`../../../../${page}`, import.meta.url))).toBe(true);
    }
    const problem = await get('/unknown');
    expect(JSON.parse(problem.text)).toMatchObject({ type: 'https://profile.example/errors#ROUTE_NOT_FOUND' });
    const users = /<article[^>]* id="USER_NOT_FOUND">.*?<\/article>/s.exec(text)?.[0];
    const declaring = endpoints.filter(({ endpoint }) => errorsOf(endpoint).includes('USER_NOT_FOUND'));
    expect(users?.match(/<li>/g)).toHaveLength(declaring.length);
  });

  test.each([
    ['/errors', './'],
    ['/errors/', '../'],
  ])('finds the other pages behind a proxy with a path prefix: %s', async (path, base) => {
    const { text } = await get(path);
    expect(text).toContain(`<a href="${base}docs">`);
    expect(text).toContain(`href="${base}docs#tag/customers/POST/api/customers"`);
  });
});

describe.each([
  ['/', 2],
  ['/errors', 5],
  ['/openapi.json', 10],
  ['/docs/openapi.json', 10],
  ['/docs/scalar.js', 3],
] as const)('%s', (path, ratio) => {
  test('is sent in the best encoding that the client accepts', async () => {
    const plain = await get(path);
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'Accept-Encoding']);
    expect(Number(plain.headers['content-length'])).toBe(plain.bytes.length);
    const tags = new Set([plain.headers.etag]);
    for (const [accepted, encoding, decode] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, GZIP', 'gzip', gunzipSync],
      ['*', 'br', brotliDecompressSync],
    ] as const) {
      const { headers, bytes } = await get(path, { 'accept-encoding': accepted });
      expect([accepted, headers['content-encoding'], headers.vary]).toEqual([accepted, encoding, 'Accept-Encoding']);
      expect(headers['content-type']).toBe(plain.headers['content-type']);
      expect(Number(headers['content-length'])).toBe(bytes.length);
      expect(bytes.length * ratio).toBeLessThan(plain.bytes.length);
      expect(decode(bytes).equals(plain.bytes)).toBe(true);
      tags.add(headers.etag);
    }
    expect(tags.size).toBe(3);
    for (const accepted of ['', 'identity', 'zstd', '*;q=0'])
      expect((await get(path, { 'accept-encoding': accepted })).headers['content-encoding']).toBeUndefined();
  });

  test('is 304 for a client that has it in this encoding, also with a weakened tag', async () => {
    const accept = { 'accept-encoding': 'br' };
    const { etag = '' } = (await get(path, accept)).headers;
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, headers, bytes } = await get(path, { ...accept, 'if-none-match': tag });
      expect([status, headers.etag, headers.vary, bytes.length]).toEqual([304, etag, 'Accept-Encoding', 0]);
    }
    expect((await get(path, { 'if-none-match': etag })).status).toBe(200);
    expect((await get(path, { ...accept, 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('has the same headers for HEAD, without content', async () => {
    const accept = { 'accept-encoding': 'br' };
    const { headers } = await get(path, accept);
    const head = await send(world.service.url, `HEAD ${path}`, { headers: accept });
    const withoutVarying = ({ date: _, 'x-request-id': __, ratelimit: ___, ...rest }: typeof headers) => rest;
    expect([head.status, withoutVarying(head.headers), head.bytes.length]).toEqual([200, withoutVarying(headers), 0]);
  });

  test('may be cached for ever at the address with its version only', async () => {
    const { headers } = await get(path);
    expect(headers['cache-control']).toBe('no-cache');
    const version = headers.etag?.replaceAll('"', '');
    expect((await get(`${path}?v=${version}`)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await get(`${path}?v=other`)).headers['cache-control']).toBe('no-cache');
  });
});

describe('/docs', () => {
  test('loads nothing from other hosts, except tokens from the identity provider', async () => {
    const { headers, text } = await get('/docs');
    expect(text).toContain('<title>Profile service</title>');
    const addresses = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses.map((address) => address?.replace(/\?v=[\w-]{22}$/, '?v='))).toEqual(['./favicon.svg', './docs/scalar.js?v=']);
    expect(text.match(/https?:\/\/[^"'\s]+/g)).toBeNull();
    const sources = String(headers['content-security-policy']).match(/https?:\/\/[^\s;]+/g);
    expect(new Set(sources)).toEqual(new Set([new URL(world.identity.url).origin]));
  });

  test.each(['/docs', '/docs/'])('finds its files behind a proxy with a path prefix: %s', async (path) => {
    const { text } = await get(path);
    const found = [/src="([^"]*)"/, /"url": ?"([^"]*)"/].map((address) => address.exec(text)?.[1] ?? '');
    const paths = found.map((address) => new URL(address, `https://proxy.example/profile${path}`).pathname);
    expect(paths).toEqual(['/profile/docs/scalar.js', '/profile/docs/openapi.json']);
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
