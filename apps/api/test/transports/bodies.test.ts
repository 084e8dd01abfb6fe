import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';
import { expectProblem, send, type Wire } from './request.ts';

const world = useWorld();
const tenant = useTenant(world);

const ask = (target: string, { headers, ...wire }: Wire) =>
  send(world.service.url, target, { ...wire, headers: { authorization: `Bearer ${world.global.token}`, ...headers } });
const json = { 'content-type': 'application/json' };
const postApp = (body: string | Buffer, more: Wire = {}) => ask('POST /api/apps', { body, ...more, headers: { ...json, ...more.headers } });
const named = (name: string) => JSON.stringify({ name });

describe('a body that is not a JSON object is rejected:', () => {
  test.each([
    ['an incomplete object', '{"name": '],
    ['a key without quotes', '{name: "x"}'],
    ['two objects', '{"name":"a"} {"name":"b"}'],
    ['white space', ' '],
    ['null', 'null'],
    ['an array', '[{"name":"x"}]'],
    ['a string', '"x"'],
    ['a number', '1'],
    ['bytes that are not UTF-8', Buffer.from([...Buffer.from('{"name":"'), 0xff, 0xfe, ...Buffer.from('"}')])],
    ['a truncated character', Buffer.from('{"name":"é"}').subarray(0, 10)],
    ['the key __proto__', '{"name":"x","__proto__":{"admin":true}}'],
    ['the key __proto__ in metadata', '{"name":"x","metadata":{"__proto__":{"a":1}}}'],
    ['the key __proto__ with an escaped character', String.raw`{"name":"x","\u005f_proto__":{"admin":true}}`],
  ])('%s', async (_what, body) => {
    const { errors } = expectProblem(await postApp(body), 'VALIDATION_FAILED');
    expect(errors).toEqual([{ path: '', message: expect.any(String) }]);
  });
});

describe('the content type', () => {
  const postTyped = (type: string | undefined, headers: Record<string, string> = {}) =>
    ask('POST /api/apps', {
      body: named(`${type} ${JSON.stringify(headers)}`),
      headers: { ...(type && { 'content-type': type }), ...headers },
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
    expectProblem(await postTyped(type), 'UNSUPPORTED_MEDIA_TYPE');
  });

  test.each(['application/json;charset=utf-8', 'Application/JSON', 'application/json ; charset="utf-8"'])(
    '%s is accepted',
    async (type) => {
      expect((await postTyped(type)).status).toBe(201);
    },
  );

  test('is accepted with the encoding identity', async () => {
    expect((await postTyped('application/json', { 'content-encoding': 'identity' })).status).toBe(201);
  });
});

describe('a body', () => {
  const limit = 64 * 1024;
  const ofSize = (bytes: number) => named('x').replace('x', 'x'.repeat(bytes - named('').length));

  test.each([false, true])('of 64 KiB is accepted (chunked: %s)', async (chunked) => {
    const { errors } = expectProblem(await postApp(ofSize(limit), { chunked }), 'VALIDATION_FAILED');
    expect(errors?.[0]?.path).toBe('name');
  });

  // Rules: LIMITS-3
  test.each([false, true])('over 64 KiB is rejected (chunked: %s)', async (chunked) => {
    for (const bytes of [limit + 1, 8 * limit]) {
      const { detail } = expectProblem(await postApp(ofSize(bytes), { chunked }), 'PAYLOAD_TOO_LARGE');
      expect(detail).toBe('The body is larger than 65536 bytes.');
    }
  });

  // Rules: LIMITS-3
  test.each([
    [`PUT /api/tenants`, 512],
    [`PUT /api/users/${randomUUID()}/tenants/${randomUUID()}/organizations`, 1024],
  ])('of %s has at most %i KiB', async (target, kibibytes) => {
    const put = (bytes: number) =>
      ask(target === 'PUT /api/tenants' ? `${target}/${tenant.id}` : target, { headers: json, body: ofSize(bytes) });
    expectProblem(await put(kibibytes * 1024), 'VALIDATION_FAILED');
    const { detail } = expectProblem(await put(kibibytes * 1024 + 1), 'PAYLOAD_TOO_LARGE');
    expect(detail).toBe(`The body is larger than ${kibibytes * 1024} bytes.`);
  });

  // Rules: LIMITS-3
  test.each([
    ['apps.create', 64],
    ['apps.create,apps.create,apps.create', 192],
    [Array.from({ length: 20 }, () => 'apps.create').join(), 1024],
  ])('of the batch %s has at most %i KiB', async (names, kibibytes) => {
    const post = (bytes: number) => ask(`POST /trpc/${names}?batch=1`, { headers: json, body: ofSize(bytes) });
    expect((await post(kibibytes * 1024)).text).not.toContain('PAYLOAD_TOO_LARGE');
    expect((await post(kibibytes * 1024 + 1)).text).toContain(`The body is larger than ${kibibytes * 1024} bytes.`);
  });

  // Rules: LIMITS-8
  test.each(['PUT /api/tenants', 'POST /trpc/tenants.update'])('with more than 60,000 values is rejected: %s', async (target) => {
    const put = (values: number) =>
      ask(target === 'PUT /api/tenants' ? `${target}/${tenant.id}` : target, {
        headers: json,
        body: `{"id":"${tenant.id}","unknown":[${Array.from({ length: values }, () => 1).join()}]}`,
      });
    expect((await put(59_000)).status).toBe(200);
    const { status, text } = await put(60_000);
    expect([status, text]).toEqual([400, expect.stringContaining('The body has more than 60000 values')]);
  });

  test('whose Content-Length is over the limit is rejected before it arrives', async () => {
    const answer = await ask('POST /api/apps', { headers: { ...json, 'content-length': String(10 * limit) }, body: '{' });
    expectProblem(answer, 'PAYLOAD_TOO_LARGE');
  });

  test.each([
    [1_000, 100],
    [50_000, 1],
  ])('with %i invalid items gets %i errors', async (items, faults) => {
    const body = `{"allowedScopes":[${Array.from({ length: items }, () => 1).join()}]}`;
    const answer = await ask(`PUT /api/tenants/${tenant.id}`, { headers: json, body });
    const { errors } = expectProblem(answer, 'VALIDATION_FAILED');
    expect(errors).toHaveLength(faults);
  });

  test('that is absent is an empty object', async () => {
    const { errors } = expectProblem(await ask('POST /api/apps', {}), 'VALIDATION_FAILED');
    expect(errors).toEqual([{ path: 'name', message: expect.any(String) }]);
    expect((await ask(`PUT /api/apps/${tenant.appId}`, {})).status).toBe(200);
    expect((await ask(`PUT /api/apps/${tenant.appId}`, { headers: { 'content-length': '0' } })).status).toBe(200);
  });

  test('with a BOM is accepted', async () => {
    expect((await postApp(`\ufeff${named('With BOM')}`)).status).toBe(201);
  });
});

describe('the content of a body', () => {
  const postTenant = (fields: string) =>
    ask('POST /api/tenants', { headers: json, body: `{"customerId":"${tenant.customerId}","appId":"${tenant.appId}",${fields}}` });
  const deep = (levels: number) => `"name":"x","metadata":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

  test.each<[string, string, string]>([
    ['NUL in a string', String.raw`"name":"a\u0000b"`, 'name'],
    ['NUL in a value of metadata', String.raw`"name":"x","metadata":{"a":["\u0000"]}`, 'metadata.a.0'],
    ['NUL in a key of metadata', String.raw`"name":"x","metadata":{"a":{"\u0000":1}}`, 'metadata.a'],
    ['half a surrogate pair in a string', String.raw`"name":"\ud800"`, 'name'],
    ['half a surrogate pair in a value of metadata', String.raw`"name":"x","metadata":{"a":"x\udc00"}`, 'metadata.a'],
    ['half a surrogate pair in a key of metadata', String.raw`"name":"x","metadata":{"\ud800":1}`, 'metadata'],
    ['more than 32 levels', deep(33), 'metadata.a.a'],
    ['10,000 levels', deep(10_000), 'metadata.a.a'],
    ['65,000 levels', deep(65_000), ''],
  ])('cannot contain %s', async (_what, fields, path) => {
    const { errors } = expectProblem(await postTenant(fields), 'VALIDATION_FAILED');
    expect(errors).toEqual([{ path, message: expect.any(String) }]);
  });

  test.each([
    ['32 levels', deep(31)],
    [
      'characters of every plane, and keys with names of object properties',
      String.raw`"name":"São 🌱 \u0001","metadata":{"constructor":"x","toString":{"🌱":""},"":1}`,
    ],
  ])('is stored unchanged with %s', async (_what, fields) => {
    const answer = await postTenant(fields);
    expect(answer.status, answer.text).toBe(201);
    expect(JSON.parse(answer.text)).toMatchObject(JSON.parse(`{${fields}}`) as object);
  });

  test('can contain unknown fields, which are ignored', async () => {
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
