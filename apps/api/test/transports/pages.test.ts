import { existsSync } from 'node:fs';
import { errors } from '@profile-service/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import committed from '../../openapi.json' with { type: 'json' };
import { pagesOfErrors } from '../../src/transports/pages/errors-page.ts';
import { startWorld, type World } from '../support/world.ts';
import { send } from './request.ts';

let world: World;
beforeAll(async () => (world = await startWorld({ PUBLIC_URL: 'https://profile.example/' })));
afterAll(() => world.stop());

const get = (path: string, headers: Record<string, string> = {}) => send(world.service.url, `GET ${path}`, { headers });

describe('/openapi.json', () => {
  test('is the committed document with the public address', async () => {
    const { status, headers, text } = await get('/openapi.json');
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(JSON.parse(text)).toEqual({ ...committed, servers: [{ url: 'https://profile.example' }] });
  });
});

describe('/errors', () => {
  // Rules: ERRORS-4
  test('describes every code at the URL that problem documents have as their type', async () => {
    const { status, headers, text } = await get('/errors');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    for (const [code, { status: ofCode, title }] of Object.entries(errors))
      expect(text).toMatch(new RegExp(`<dt id="${code}">.*${code}.*${ofCode}.*${title}`));
    expect(text.match(/<dt id=/g)).toHaveLength(Object.keys(errors).length);
    for (const [code, page] of Object.entries(pagesOfErrors)) {
      expect(text).toMatch(new RegExp(`<dt id="${code}">.*${page}`));
      expect(existsSync(new URL(`../../../../${page}`, import.meta.url))).toBe(true);
    }
    const problem = await get('/unknown');
    expect(JSON.parse(problem.text)).toMatchObject({ type: 'https://profile.example/errors#ROUTE_NOT_FOUND' });
  });
});

describe('/docs', () => {
  test('loads nothing from other hosts, except tokens from the identity provider', async () => {
    const { status, headers, text } = await get('/docs');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('<title>Profile service</title>');
    const addresses = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses).toEqual(['./docs/scalar.js']);
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
    expect(JSON.parse(without.text)).toEqual(JSON.parse((await get('/openapi.json')).text));
    const { url } = await world.another({ DOCS_CLIENT_ID: 'web' });
    const { text } = await send(url, 'GET /docs/openapi.json');
    const { components } = JSON.parse(text) as typeof committed;
    expect(components.securitySchemes.userToken).toMatchObject({
      type: 'oauth2',
      flows: { authorizationCode: { authorizationUrl: `${world.identity.realmUrl}/protocol/openid-connect/auth` } },
    });
  });
});
