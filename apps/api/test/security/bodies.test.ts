import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openConnection } from '../transports/connection.ts';
import { expectProblem, send, type Wire } from '../transports/request.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let tenantId: string;
beforeAll(async () => {
  world = await startWorld();
  tenantId = (await world.tenant()).id;
});
afterAll(() => world.stop());

const json = { 'content-type': 'application/json' };
const ask = (target: string, { headers, ...wire }: Wire) =>
  send(world.service.url, target, { ...wire, headers: { authorization: `Bearer ${world.global.token}`, ...headers } });
const put = (body: string) => ask(`PUT /api/tenants/${tenantId}`, { headers: json, body });
/** The tenant's metadata after the update. */
const kept = async (metadata: string) => {
  const { status, text } = await put(`{"metadata":${metadata}}`);
  expect(status, text).toBe(200);
  return (JSON.parse(text) as { metadata: unknown }).metadata;
};

describe('a body with many keys', () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [index.toString(36), 0]));

  test('is accepted with 8,000 keys in metadata', async () => {
    const metadata = keys(8_000);
    expect(await kept(JSON.stringify(metadata))).toEqual(metadata);
  });

  test('is accepted with 32,000 list items in metadata', async () => {
    const metadata = { list: Array.from({ length: 32_000 }, () => 1) };
    expect(await kept(JSON.stringify(metadata))).toEqual(metadata);
  });

  test('is rejected with 100,000 keys in metadata', async () => {
    const { errors } = expectProblem(await put(JSON.stringify({ metadata: keys(100_000) })), 'VALIDATION_FAILED');
    expect(errors).toEqual([{ path: 'metadata', message: 'The JSON text must have at most 65536 bytes, with numbers written out' }]);
  });

  test('is accepted with 100,000 unknown keys, which are not stored', async () => {
    const { status, text } = await put(JSON.stringify({ ...keys(100_000), name: 'Wide' }));
    expect([status, Object.keys(JSON.parse(text) as object)]).toEqual([200, expect.not.arrayContaining(['zzz'])]);
  });
});

describe('a repeated key is rejected:', () => {
  test.each([
    ['beside each other', '{"name":"a","name":"b"}'],
    ['far from each other', '{"name":"a","active":true,"name":"a"}'],
    ['one of them in unicode', String.raw`{"name":"a","n\u0061me":"b"}`],
    ['in a map of the client’s own', '{"metadata":{"a":1,"b":{"c":1,"c":2}}}'],
    ['in a list', '{"metadata":{"a":[{"x":1,"x":2}]}}'],
    ['that nobody asked for', '{"other":1,"other":2}'],
  ])('%s', async (_what, body) => {
    const { errors } = expectProblem(await put(body), 'VALIDATION_FAILED');
    expect(errors).toEqual([{ path: '', message: 'A key is given more than once' }]);
    expectProblem(await ask('POST /api/apps', { headers: json, body }), 'VALIDATION_FAILED');
    expect((await ask('POST /trpc/apps.create', { headers: json, body })).status).toBe(400);
  });

  test('the same key in different objects is accepted, also a text that looks like a key', async () => {
    const metadata = String.raw`{"a":{"a":"a"},"b":[{"a":1},{"a":"\"a\":"}],"c":"\\","":": "}`;
    expect(await kept(metadata)).toEqual(JSON.parse(metadata));
  });
});

describe('a number', () => {
  test.each(['9007199254740993', '1e999', '-1e999', '1e21', '2147483648', '1.5'])(
    '%s is rejected where an integer is required',
    async (number) => {
      const body = `{"name":"x","hasExpiration":true,"defaultValidityDays":${number}}`;
      const { errors } = expectProblem(await ask('POST /api/document-types', { headers: json, body }), 'VALIDATION_FAILED');
      expect(errors).toMatchObject([{ path: 'defaultValidityDays' }]);
    },
  );

  test('in metadata is a double, and is rejected if it is not finite', async () => {
    expect(await kept('{"a":9007199254740993,"b":1e300,"c":-0.1}')).toEqual({ a: 9007199254740992, b: 1e300, c: -0.1 });
    expectProblem(await put('{"metadata":{"a":1e999}}'), 'VALIDATION_FAILED');
  });
});

describe('a compressed body is rejected before it is read:', () => {
  const zeros = Buffer.alloc(64 * 1024 * 1024);
  const bombs: [encoding: string, body: Buffer][] = [
    ['gzip', gzipSync(zeros)],
    ['deflate', deflateSync(zeros)],
    ['br', brotliCompressSync(zeros)],
    ['gzip, gzip', gzipSync(gzipSync(zeros))],
    ['GZip', gzipSync(zeros)],
    ['zstd', zeros.subarray(0, 100)],
    ['identity, gzip', gzipSync(zeros)],
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

  test('the response arrives before the body', async () => {
    const { socket, until } = await openConnection(world.service.port);
    const head = [
      'POST /api/apps HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${world.global.token}`,
      'Content-Type: application/json',
    ];
    socket.write([...head, 'Content-Encoding: gzip', 'Content-Length: 1000', '', ''].join('\r\n'));
    expect(await until('UNSUPPORTED_MEDIA_TYPE')).toContain('415');
    socket.destroy();
  });

  test('a transfer encoding does not decompress it', async () => {
    const { socket, until } = await openConnection(world.service.port);
    const head = [
      'POST /api/apps HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${world.global.token}`,
      'Content-Type: application/json',
    ];
    const packed = gzipSync('{"name":"Packed"}');
    socket.write([...head, 'Transfer-Encoding: gzip, chunked', '', `${packed.length.toString(16)}\r\n`].join('\r\n'));
    socket.write(packed);
    socket.write('\r\n0\r\n\r\n');
    expect(await until('VALIDATION_FAILED')).toContain('400');
    socket.destroy();
  });
});
