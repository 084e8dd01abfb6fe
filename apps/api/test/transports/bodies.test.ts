import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tenant } from '../support/people.ts';
import { startWorld, type World } from '../support/world.ts';
import { expectProblem, send, type Wire } from './request.ts';

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await startWorld();
  tenant = await world.tenant();
});
afterAll(() => world.stop());

const ask = (target: string, { headers, ...wire }: Wire) =>
  send(world.service.url, target, { ...wire, headers: { authorization: `Bearer ${world.global.token}`, ...headers } });
const json = { 'content-type': 'application/json' };
const postApp = (body: string | Buffer, more: Wire = {}) => ask('POST /api/apps', { body, ...more, headers: { ...json, ...more.headers } });
const named = (name: string) => JSON.stringify({ name });

describe('a body that is not a JSON object is rejected:', () => {
  test.each([
    ['broken', '{"name": '],
    ['not in quotes', '{name: "x"}'],
    ['two of them', '{"name":"a"} {"name":"b"}'],
    ['nothing but space', ' '],
    ['null', 'null'],
    ['an array', '[{"name":"x"}]'],
    ['a string', '"x"'],
    ['a number', '1'],
    ['no UTF-8', Buffer.from([...Buffer.from('{"name":"'), 0xff, 0xfe, ...Buffer.from('"}')])],
    ['cut off', Buffer.from('{"name":"é"}').subarray(0, 10)],
    ['a key that reaches into the prototype', '{"name":"x","__proto__":{"admin":true}}'],
    ['one that does so in unicode', String.raw`{"name":"x","\u005f_proto__":{"admin":true}}`],
  ])('%s', async (_what, body) => {
    const { errors } = expectProblem(await postApp(body), 'VALIDATION_FAILED');
    expect(errors).toEqual([{ path: '', message: expect.any(String) }]);
  });

  test('an absent body is an empty object', async () => {
    const { errors } = expectProblem(await ask('POST /api/apps', {}), 'VALIDATION_FAILED');
    expect(errors).toEqual([{ path: 'name', message: expect.any(String) }]);
    expect((await ask(`PUT /api/apps/${tenant.appId}`, {})).status).toBe(200);
    expect((await ask(`PUT /api/apps/${tenant.appId}`, { headers: { 'content-length': '0' } })).status).toBe(200);
  });

  test('a BOM before the body is accepted', async () => {
    expect((await postApp(`\ufeff${named('With BOM')}`)).status).toBe(201);
  });
});

describe('the content type', () => {
  const typed = (type: string | undefined, encoding?: string): Wire => ({
    body: named('x'),
    headers: {
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    },
  });

  // Rules: INPUT-2, LIMITS-3
  test.each([
    undefined,
    'text/plain',
    'text/json',
    'application/jsonp',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    ';',
  ])('%s is rejected', async (type) => {
    expectProblem(await ask('POST /api/apps', typed(type)), 'UNSUPPORTED_MEDIA_TYPE');
  });

  test.each(['application/json;charset=utf-8', 'Application/JSON', 'application/json ; charset="utf-8"'])(
    '%s is accepted',
    async (type) => {
      const answer = await ask('POST /api/apps', { ...typed(type), body: named(type) });
      expect(answer.status).toBe(201);
    },
  );

  test('gzip is rejected as an encoding, identity is accepted', async () => {
    const compressed = { ...typed('application/json', 'gzip'), body: gzipSync(named('x')) };
    expectProblem(await ask('POST /api/apps', compressed), 'UNSUPPORTED_MEDIA_TYPE');
    expect((await ask('POST /api/apps', typed('application/json', 'identity'))).status).toBe(201);
  });
});

describe('the size of a body', () => {
  const limit = 1024 * 1024;
  const ofSize = (bytes: number) => named('x').replace('x', 'x'.repeat(bytes - named('').length));

  test.each([false, true])('of 1 MiB is accepted (chunked: %s)', async (chunked) => {
    const { errors } = expectProblem(await postApp(ofSize(limit), { chunked }), 'VALIDATION_FAILED');
    expect(errors?.[0]?.path).toBe('name');
  });

  // Rules: LIMITS-3
  test.each([
    [limit + 1, false],
    [limit + 1, true],
    [8 * limit, false],
    [8 * limit, true],
  ])('of %i bytes is rejected (chunked: %s)', async (bytes, chunked) => {
    expectProblem(await postApp(ofSize(bytes), { chunked }), 'PAYLOAD_TOO_LARGE');
  });

  test('over the limit in Content-Length is rejected before the body is sent', async () => {
    const answer = await ask('POST /api/apps', { headers: { ...json, 'content-length': String(10 * limit) }, body: '{' });
    expectProblem(answer, 'PAYLOAD_TOO_LARGE');
  });

  test.each([
    [1_000, 100],
    [200_000, 1],
  ])('does not make the list of errors long: %i invalid items', async (items, faults) => {
    const body = `{"allowedScopes":[${Array.from({ length: items }, () => 1).join()}]}`;
    const answer = await ask(`PUT /api/tenants/${tenant.id}`, { headers: json, body });
    const { errors } = expectProblem(answer, 'VALIDATION_FAILED');
    expect(errors).toHaveLength(faults);
  });
});

describe('the content of a body', () => {
  const postTenant = (fields: string, customerId = tenant.customerId) =>
    ask('POST /api/tenants', { headers: json, body: `{"customerId":"${customerId}","appId":"${tenant.appId}",${fields}}` });
  const deep = (levels: number) => `"name":"x","metadata":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

  test.each<[string, string, string]>([
    ['NUL in a text', String.raw`"name":"a\u0000b"`, 'name'],
    ['NUL in a value of metadata', String.raw`"name":"x","metadata":{"a":["\u0000"]}`, 'metadata.a.0'],
    ['NUL in a key of metadata', String.raw`"name":"x","metadata":{"a":{"\u0000":1}}`, 'metadata.a'],
    ['half a surrogate pair in a text', String.raw`"name":"\ud800"`, 'name'],
    ['half a surrogate pair in a value of metadata', String.raw`"name":"x","metadata":{"a":"x\udc00"}`, 'metadata.a'],
    ['half a surrogate pair in a key of metadata', String.raw`"name":"x","metadata":{"\ud800":1}`, 'metadata'],
    ['a number that is none', '"name":"x","metadata":{"a":1e400}', 'metadata.a'],
    ['a number for a text', '"name":1', 'name'],
    ['a text for a truth', '"name":"x","active":"true"', 'active'],
    ['a number for a truth', '"name":"x","active":1', 'active'],
    ['null for a truth', '"name":"x","active":null', 'active'],
    ['a list for a map', '"name":"x","metadata":[]', 'metadata'],
    ['a text for a list', '"name":"x","allowedScopes":"read"', 'allowedScopes'],
    ['a list of numbers for one of texts', '"name":"x","allowedScopes":["a",1]', 'allowedScopes.1'],
    ['a text too short', '"name":""', 'name'],
    ['a text too long', `"name":"${'x'.repeat(256)}"`, 'name'],
    ['deeper than 32 levels', deep(33), 'metadata.a.a'],
    ['as deep as can be', deep(150_000), 'metadata.a.a'],
  ])('%s', async (_what, fields, path) => {
    const { errors } = expectProblem(await postTenant(fields), 'VALIDATION_FAILED');
    expect(errors).toEqual([{ path, message: expect.any(String) }]);
  });

  test('an invalid id is rejected', async () => {
    const { errors } = expectProblem(await postTenant('"name":"x"', '42'), 'VALIDATION_FAILED');
    expect(errors).toEqual([{ path: 'customerId', message: expect.any(String) }]);
  });

  test('__proto__ in metadata is rejected, over REST and tRPC', async () => {
    expectProblem(await postTenant('"name":"x","metadata":{"__proto__":{"a":1}}'), 'VALIDATION_FAILED');
    const body = `{"customerId":"${tenant.customerId}","appId":"${tenant.appId}","name":"x","metadata":{"__proto__":{"a":1}}}`;
    expect((await ask('POST /trpc/tenants.create', { headers: json, body })).status).toBe(400);
  });

  test.each([
    ['32 levels', deep(31)],
    [
      'characters of every plane, and keys that only look dangerous',
      String.raw`"name":"São 🌱 \u0001","metadata":{"constructor":"x","toString":{"🌱":""},"":1}`,
    ],
  ])('%s are stored unchanged', async (_what, fields) => {
    const answer = await postTenant(fields);
    expect(answer.status, answer.text).toBe(201);
    expect(JSON.parse(answer.text)).toMatchObject(JSON.parse(`{${fields}}`) as object);
  });

  test('unknown fields are ignored', async () => {
    const answer = await postTenant('"name":"x","id":"1","admin":true');
    expect(JSON.parse(answer.text)).not.toHaveProperty('admin');
    expect(answer.status).toBe(201);
  });
});

test.each([
  ['GET /api/apps', 200],
  ['DELETE /api/apps/01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f', 404],
])('a body of an endpoint without body is ignored: %s', async (target, status) => {
  const answer = await ask(target, { headers: { 'content-type': 'text/plain' }, body: '{{{' });
  expect(answer.status).toBe(status);
});
