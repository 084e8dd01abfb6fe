import { randomUUID } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { absentId } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';
import { asGlobal, expectProblem, type Wire } from './request.ts';

const world = useWorld();
const tenant = useTenant(world);

const ask = asGlobal(world);
const json = { 'content-type': 'application/json' };
const postApp = (body: string | Buffer, wire: Wire = {}) => ask('POST /api/apps', { headers: json, ...wire, body });
const putTenant = (body: string) => ask(`PUT /api/tenants/${tenant.id}`, { headers: json, body });
const named = (name: string) => JSON.stringify({ name });

describe('a body that is not a JSON object, or has the key __proto__, is rejected:', () => {
  const noObjects = ['{"name": ', '{name: "x"}', '{"name":"a"} {"name":"b"}', ' ', 'null', '[{"name":"x"}]', '"x"', '1'];
  test.each([
    ...noObjects,
    // Bytes that are not UTF-8, and a truncated character.
    Buffer.from([...Buffer.from('{"name":"'), 0xff, 0xfe, ...Buffer.from('"}')]),
    Buffer.from('{"name":"é"}').subarray(0, 10),
    '{"name":"x","__proto__":{"admin":true}}',
    '{"name":"x","metadata":{"__proto__":{"a":1}}}',
    String.raw`{"name":"x","\u005f_proto__":{"admin":true}}`,
  ])('%s', async (body) => {
    const { errors } = expectProblem(await postApp(body), 'VALIDATION_FAILED');
    expect(errors).toEqual([{ path: '', message: expect.any(String) }]);
  });
});

// unit/check-json.test.ts has the cases of the scanner.
describe('a repeated key is rejected:', () => {
  test.each([
    '{"name":"a","active":true,"name":"a"}',
    String.raw`{"name":"a","n\u0061me":"b"}`,
    '{"metadata":{"a":[{"x":1,"x":2}]}}',
    '{"other":1,"other":2}',
  ])('%s', async (body) => {
    const { errors } = expectProblem(await putTenant(body), 'VALIDATION_FAILED');
    expect(errors).toEqual([{ path: '', message: 'A key is given more than once' }]);
    expect((await ask('POST /trpc/apps.create', { headers: json, body })).status).toBe(400);
  });
});

describe('the content type', () => {
  const postTyped = (type: string | undefined, headers: Record<string, string> = {}) =>
    postApp(named(`${type} ${JSON.stringify(headers)}`), { headers: { ...(type && { 'content-type': type }), ...headers } });

  // Rules: INPUT-2, LIMITS-3
  test.each([undefined, 'text/plain', 'application/jsonp', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ';'])(
    '%s is rejected',
    async (type) => {
      expectProblem(await postTyped(type), 'UNSUPPORTED_MEDIA_TYPE');
    },
  );

  test.each(['application/json;charset=utf-8', 'Application/JSON', 'application/json ; charset="utf-8"'])(
    '%s is accepted',
    async (type) => {
      expect((await postTyped(type, { 'content-encoding': 'identity' })).status).toBe(201);
    },
  );

  const zeros = Buffer.alloc(8 * 1024 * 1024);
  test.each<[encoding: string, body: Buffer]>([
    ['gzip', gzipSync(zeros)],
    ['br', brotliCompressSync(zeros)],
    ['GZip', gzipSync('{}')],
    ['identity, gzip', gzipSync('{}')],
    ['', gzipSync('{}')],
  ])('of a compressed body is rejected before the body is read: %j', async (encoding, body) => {
    for (const target of ['POST /api/apps', 'POST /trpc/apps.create']) {
      const { status, text } = await ask(target, { headers: { ...json, 'content-encoding': encoding }, body });
      expect([status, text]).toEqual([415, expect.stringContaining('UNSUPPORTED_MEDIA_TYPE')]);
    }
    const multipart = { 'content-type': 'multipart/form-data; boundary=x', 'content-encoding': encoding };
    expectProblem(await ask('POST /api/attachments', { headers: multipart, body }), 'UNSUPPORTED_MEDIA_TYPE');
  });
});

// connections.test.ts checks that a Content-Length over the limit is rejected before the body arrives.
describe('the size of a body', () => {
  const limit = 64 * 1024;
  const ofSize = (bytes: number) => named('x').replace('x', 'x'.repeat(bytes - named('').length));

  // Rules: LIMITS-3
  test.each([false, true])('is at most 64 KiB (chunked: %s)', async (chunked) => {
    const { errors } = expectProblem(await postApp(ofSize(limit), { headers: json, chunked }), 'VALIDATION_FAILED');
    expect(errors?.[0]?.path).toBe('name');
    for (const bytes of [limit + 1, 8 * limit]) {
      const { detail } = expectProblem(await postApp(ofSize(bytes), { headers: json, chunked }), 'PAYLOAD_TOO_LARGE');
      expect(detail).toBe('The body is larger than 65536 bytes.');
    }
  });

  // Rules: LIMITS-3
  test.each([
    [512, () => `PUT /api/tenants/${tenant.id}`],
    [1024, () => `PUT /api/users/${randomUUID()}/tenants/${randomUUID()}/organizations`],
    [64, () => 'POST /trpc/apps.create?batch=1'],
    [192, () => 'POST /trpc/apps.create,apps.create,apps.create?batch=1'],
    [1024, () => `POST /trpc/${Array.from({ length: 20 }, () => 'apps.create').join()}?batch=1`],
  ])('is at most %i KiB for some endpoints and batches: %s', async (kibibytes, target) => {
    const send = async (bytes: number) => (await ask(target(), { headers: json, body: ofSize(bytes) })).text;
    expect(await send(kibibytes * 1024)).toContain('VALIDATION_FAILED');
    expect(await send(kibibytes * 1024 + 1)).toContain(`The body is larger than ${kibibytes * 1024} bytes.`);
  });
});

describe('a body', () => {
  // Rules: LIMITS-8
  test.each([() => `PUT /api/tenants/${tenant.id}`, () => 'POST /trpc/tenants.update'])(
    'with more than 60,000 values is rejected: %s',
    async (target) => {
      const put = (values: number) =>
        ask(target(), { headers: json, body: JSON.stringify({ id: tenant.id, unknown: Array.from({ length: values }, () => 1) }) });
      expect((await put(59_000)).status).toBe(200);
      const { status, text } = await put(60_000);
      expect([status, text]).toEqual([400, expect.stringContaining('The body has more than 60000 values and keys')]);
    },
  );

  test.each([
    [1_000, 100],
    [50_000, 1],
  ])('with %i invalid items gets %i errors', async (items, faults) => {
    const { errors } = expectProblem(
      await putTenant(JSON.stringify({ allowedScopes: Array.from({ length: items }, () => 1) })),
      'VALIDATION_FAILED',
    );
    expect(errors).toHaveLength(faults);
  });

  test('that is absent is an empty object, and one with a BOM is accepted', async () => {
    const { errors } = expectProblem(await ask('POST /api/apps'), 'VALIDATION_FAILED');
    expect(errors).toEqual([{ path: 'name', message: expect.any(String) }]);
    for (const headers of [{}, { 'content-length': '0' }])
      expect((await ask(`PUT /api/apps/${tenant.appId}`, { headers })).status).toBe(200);
    expect((await postApp(`\ufeff${named('With BOM')}`)).status).toBe(201);
  });

  test.each([
    ['GET /api/apps', 200],
    [`DELETE /api/apps/${absentId}`, 404],
  ])('of an endpoint without body is ignored: %s', async (target, status) => {
    expect((await ask(target, { headers: { 'content-type': 'text/plain' }, body: '{{{' })).status).toBe(status);
  });
});

describe('the content of a body', () => {
  const postTenant = (fields: string) =>
    ask('POST /api/tenants', { headers: json, body: `{"customerId":"${tenant.customerId}","appId":"${tenant.appId}",${fields}}` });
  const deep = (levels: number) => `"name":"x","metadata":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

  test.each<[string, string, string]>([
    ['NUL in a value of metadata', String.raw`"name":"x","metadata":{"a":["\u0000"]}`, 'metadata.a.0'],
    ['NUL in a key of metadata', String.raw`"name":"x","metadata":{"a":{"\u0000":1}}`, 'metadata.a'],
    ['half a surrogate pair in a string', String.raw`"name":"\ud800"`, 'name'],
    ['half a surrogate pair in a key of metadata', String.raw`"name":"x","metadata":{"\ud800":1}`, 'metadata'],
    ['more than 32 levels', deep(33), 'metadata.a.a'],
    ['65,000 levels', deep(65_000), ''],
  ])('cannot contain %s', async (_what, fields, path) => {
    const { errors } = expectProblem(await postTenant(fields), 'VALIDATION_FAILED');
    expect(errors).toEqual([{ path, message: expect.any(String) }]);
  });

  test.each([
    ['32 levels', deep(32)],
    [
      'characters of every plane, and keys with names of object properties',
      String.raw`"name":"São 🌱 \u0001","metadata":{"constructor":"x","toString":{"🌱":""},"":1}`,
    ],
    ['equal keys of different objects', String.raw`"name":"x","metadata":{"a":{"a":"a"},"b":[{"a":1},{"a":"\"a\":"}],"c":"\\","":": "}`],
    ['exact numbers', '"name":"x","metadata":{"a":[9007199254740991,1e300,-0.1,1.10,1e2,1.7976931348623157e308,5e-324,0.0]}'],
  ])('is stored unchanged with %s, without unknown fields', async (_what, fields) => {
    const { status, text } = await postTenant(`${fields},"id":"1","admin":true`);
    expect(status, text).toBe(201);
    expect(JSON.parse(text)).toMatchObject(JSON.parse(`{${fields}}`) as object);
    expect(JSON.parse(text)).not.toHaveProperty('admin');
  });

  test('has thousands of keys, known and unknown', async () => {
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [index.toString(36), 0]));
    const { text } = await putTenant(JSON.stringify({ ...keys(20_000), metadata: keys(8_000) }));
    expect(JSON.parse(text)).toMatchObject({ metadata: keys(8_000) });
    expect(JSON.parse(text)).not.toHaveProperty('zzz');
  });

  // unit/exact-numbers.test.ts has more of them.
  // Rules: INPUT-10
  test('cannot contain a number that would come back changed, over REST and tRPC', async () => {
    const { errors } = expectProblem(await putTenant('{"metadata":{"a":[1,{"9007199254740993":-1e999 }]}}'), 'VALIDATION_FAILED');
    expect(errors).toEqual([{ path: 'metadata.a.1.9007199254740993', message: expect.any(String) }]);
    const input = `{"id":"${tenant.id}","metadata":{"a":9007199254740993}}`;
    for (const { status, text } of [
      await ask('POST /trpc/tenants.update', { headers: json, body: input }),
      await ask('POST /trpc/tenants.update?batch=1', { headers: json, body: `{"0":${input}}` }),
      await ask(`GET /trpc/tenants.get?input=${encodeURIComponent(input)}`),
      await ask(`GET /trpc/tenants.get?batch=1&input=${encodeURIComponent(`{"0":${input}}`)}`),
    ])
      expect([status, text]).toEqual([400, expect.stringContaining('metadata.a')]);
  });
});
