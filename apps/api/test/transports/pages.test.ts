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

describe('/openapi.json', () => {
  test('is the committed document with the public address', async () => {
    const { status, headers, text } = await get('/openapi.json');
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(JSON.parse(text)).toEqual({ ...committed, servers: [{ url: 'https://profile.example' }] });
  });
});

describe('/', () => {
  test('links to the public pages and shows nothing else', async () => {
    const { status, headers, text } = await get('/');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(new Set([...text.matchAll(/href="([^"]*)"/g)].map(([, address]) => address))).toEqual(
      new Set(['./', './favicon.svg', '#content', './docs', './openapi.json', './errors']),
    );
    expect(text).not.toMatch(/@example|token|realms/);
    expect(headers['content-security-policy']).not.toContain('script-src');
  });
});

describe('icons', () => {
  test('are an ICO file and an SVG image', async () => {
    const [ico, svg] = [await get('/favicon.ico'), await get('/favicon.svg')];
    expect([ico.status, ico.headers['content-type'], ico.bytes.subarray(0, 4)]).toEqual([200, 'image/x-icon', Buffer.from([0, 0, 1, 0])]);
    // The image in the file begins at byte 22 and is a PNG up to the end of the file.
    expect([ico.bytes.readUInt32LE(18), ico.bytes.toString('latin1', 23, 26), ico.bytes.readUInt32LE(14)]).toEqual([
      22,
      'PNG',
      ico.bytes.length - 22,
    ]);
    expect([svg.status, svg.headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8']);
  });
});

describe('/errors', () => {
  // Rules: ERRORS-4
  test('describes every code at the URL that problem documents have as their type', async () => {
    const { status, headers, text } = await get('/errors');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
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
  });

  test('names the operations that declare a code, and the codes that are never sent', async () => {
    const { text } = await get('/errors');
    const articleOf = (code: string) => new RegExp(`<article[^>]* id="${code}">.*?</article>`, 's').exec(text)?.[0] ?? '';
    expect(articleOf('CUSTOMER_ALREADY_EXISTS')).toContain(
      '<a href="./docs#tag/customers/POST/api/customers" title="POST /api/customers">Create a customer</a>',
    );
    expect(articleOf('USER_NOT_FOUND').match(/<li>/g)).toHaveLength(
      endpoints.filter(({ endpoint }) => errorsOf(endpoint).includes('USER_NOT_FOUND')).length,
    );
    expect(articleOf('UNAUTHORIZED')).toContain('<dd>Every operation.</dd>');
    expect(articleOf('CLIENT_NOT_LINKED')).toContain('Every operation under <code>/service</code>.');
    expect(articleOf('ROUTE_NOT_FOUND')).toContain('No operation');
    expect(text.match(/never sent/g)).toHaveLength(1);
    expect(articleOf('FailedToDeleteFileError')).toContain('never sent');
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
    const { status, headers, text } = await get('/docs');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
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

  test('names its files by their versions, so that browsers keep them', async () => {
    const { text } = await get('/docs');
    for (const address of [/src="\.([^"]*)"/, /"url": ?"\.([^"]*)"/].map((pattern) => pattern.exec(text)?.[1] ?? ''))
      expect((await get(address)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
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

  test('serves its script in full, also for range and conditional requests', async () => {
    const whole = await get('/docs/scalar.js');
    expect([whole.status, whole.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(whole.text.length).toBeGreaterThan(1_000_000);
    for (const headers of [
      { range: 'bytes=99999999-' },
      { range: 'nonsense' },
      { 'if-match': '"x"' },
      { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
    ])
      expect((await get('/docs/scalar.js', headers)).status).toBe(200);
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
