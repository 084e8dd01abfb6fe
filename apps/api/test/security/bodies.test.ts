import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { expectProblem, send, type Wire } from '../transports/request.ts';
import { useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const tenant = useTenant(world);

const json = { 'content-type': 'application/json' };
const ask = (target: string, { headers, ...wire }: Wire) =>
  send(world.service.url, target, { ...wire, headers: { authorization: `Bearer ${world.global.token}`, ...headers } });
const put = (body: string) => ask(`PUT /api/tenants/${tenant.id}`, { headers: json, body });
/** Updates the tenant's metadata and returns the stored ones. */
const stored = async (metadata: string) => {
  const { status, text } = await put(`{"metadata":${metadata}}`);
  expect(status, text).toBe(200);
  return (JSON.parse(text) as { metadata: unknown }).metadata;
};

describe('a body with many keys', () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [index.toString(36), 0]));

  test('is accepted with 8,000 keys in metadata, and rejected with 20,000', async () => {
    expect(await stored(JSON.stringify(keys(8_000)))).toEqual(keys(8_000));
    const { errors } = expectProblem(await put(JSON.stringify({ metadata: keys(20_000) })), 'VALIDATION_FAILED');
    expect(errors).toEqual([{ path: 'metadata', message: 'The JSON text must have at most 65536 bytes, with numbers written out' }]);
  });

  test('is accepted with 25,000 unknown keys, which are not stored', async () => {
    const { status, text } = await put(JSON.stringify({ ...keys(25_000), name: 'Wide' }));
    expect([status, Object.keys(JSON.parse(text) as object)]).toEqual([200, expect.not.arrayContaining(['zzz'])]);
  });
});

describe('a repeated key is rejected:', () => {
  test.each([
    ['adjacent', '{"name":"a","name":"b"}'],
    ['with another key between', '{"name":"a","active":true,"name":"a"}'],
    ['with an escaped character', String.raw`{"name":"a","n\u0061me":"b"}`],
    ['in metadata', '{"metadata":{"a":1,"b":{"c":1,"c":2}}}'],
    ['in a list', '{"metadata":{"a":[{"x":1,"x":2}]}}'],
    ['that is unknown', '{"other":1,"other":2}'],
  ])('%s', async (_what, body) => {
    const { errors } = expectProblem(await put(body), 'VALIDATION_FAILED');
    expect(errors).toEqual([{ path: '', message: 'A key is given more than once' }]);
    expectProblem(await ask('POST /api/apps', { headers: json, body }), 'VALIDATION_FAILED');
    expect((await ask('POST /trpc/apps.create', { headers: json, body })).status).toBe(400);
  });

  test('but not in different objects, and not as a value', async () => {
    const metadata = String.raw`{"a":{"a":"a"},"b":[{"a":1},{"a":"\"a\":"}],"c":"\\","":": "}`;
    expect(await stored(metadata)).toEqual(JSON.parse(metadata));
  });
});

describe('a number', () => {
  test('in metadata comes back with the same value', async () => {
    const numbers = '[9007199254740991,-9007199254740991,1e300,-0.1,1.10,1e2,1.7976931348623157e308,5e-324,1e-1,0.0]';
    expect(await stored(`{"a":${numbers}}`)).toEqual({ a: JSON.parse(numbers) });
    expect(await stored('{"a":-0}')).toEqual({ a: 0 });
  });

  // test/unit/exact-numbers.test.ts has more of them.
  // Rules: INPUT-10
  test.each(['9007199254740993', '-1e999', '0.1000000000000000055511151231257827'])(
    'in metadata is rejected if it would come back changed: %s',
    async (number) => {
      const body = `{"name":"x","metadata":{"a":[1,{"9007199254740993":${number} }]}}`;
      const { errors } = expectProblem(await put(body), 'VALIDATION_FAILED');
      expect(errors).toEqual([{ path: 'metadata.a.1.9007199254740993', message: expect.any(String) }]);
    },
  );

  // Rules: INPUT-10
  test('is rejected over tRPC too, in every kind of request', async () => {
    const metadata = '"metadata":{"a":9007199254740993}';
    const input = `{"id":"${tenant.id}",${metadata}}`;
    const rejected = [
      await ask('POST /trpc/tenants.update', { headers: json, body: input }),
      await ask('POST /trpc/tenants.update?batch=1', { headers: json, body: `{"0":${input}}` }),
      await ask(`GET /trpc/tenants.get?input=${encodeURIComponent(input)}`, {}),
      await ask(`GET /trpc/tenants.get?batch=1&input=${encodeURIComponent(`{"0":${input}}`)}`, {}),
    ];
    expect(rejected.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    for (const { text } of rejected) expect(text).toContain('metadata.a');
  });
});

describe('a compressed body is rejected before it is read:', () => {
  const zeros = Buffer.alloc(8 * 1024 * 1024);
  const bombs: [encoding: string, body: Buffer][] = [
    ['gzip', gzipSync(zeros)],
    ['br', brotliCompressSync(zeros)],
    ['GZip', gzipSync('{}')],
    ['identity, gzip', gzipSync('{}')],
    ['', gzipSync('{}')],
  ];
  test.each(bombs)('%j', async (encoding, body) => {
    for (const target of ['POST /api/apps', 'POST /trpc/apps.create']) {
      const answer = await ask(target, { headers: { ...json, 'content-encoding': encoding }, body });
      expect([answer.status, answer.text]).toEqual([415, expect.stringContaining('UNSUPPORTED_MEDIA_TYPE')]);
    }
    const multipart = { 'content-type': 'multipart/form-data; boundary=x', 'content-encoding': encoding };
    expectProblem(await ask('POST /api/attachments', { headers: multipart, body }), 'UNSUPPORTED_MEDIA_TYPE');
  });
});
