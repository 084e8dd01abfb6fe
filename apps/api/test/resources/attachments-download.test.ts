import { beforeAll, describe, expect, test } from 'vitest';
import { content, upload } from '../support/files.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';

const bytes = content('image/png', 10_000);
const world = useWorld();
const member = useMember(world, useTenant(world), 'technician');
let id: string;
beforeAll(async () => {
  ({ id } = (await upload(world, member, {}, new File([bytes], 'foto.png', { type: 'image/png' }))).body);
});

const download = (headers: Record<string, string> = {}) => world.call(member, `GET /api/attachments/${id}`, undefined, headers);

// Rules: ATTACHMENTS-10
test('GET /api/attachments/{id} returns the file with its headers', async () => {
  const { status, headers, bytes: got } = await download();
  expect(status).toBe(200);
  expect(got.equals(bytes)).toBe(true);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'image/png',
    'content-length': '10000',
    'content-disposition': 'attachment; filename=foto.png',
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    etag: expect.stringMatching(/^"[^"]+"$/),
  });
});

describe('Range', () => {
  // Rules: ATTACHMENTS-12
  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-99', 0, 99],
    ['bytes=9990-', 9990, 9999],
    ['bytes=-10', 9990, 9999],
    ['bytes=5000-50000', 5000, 9999],
    ['bytes=-50000', 0, 9999],
  ])('answers 206 for %s', async (range, start, end) => {
    const { status, headers, bytes: got } = await download({ range });
    expect(status).toBe(206);
    expect(headers.get('content-range')).toBe(`bytes ${start}-${end}/10000`);
    expect(headers.get('content-length')).toBe(String(end - start + 1));
    expect(got.equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  // Rules: ATTACHMENTS-12
  test.each(['bytes=10000-', 'bytes=20000-30000', 'bytes=-0', `bytes=${'9'.repeat(30)}-`])(
    'answers 416 RANGE_NOT_SATISFIABLE for %s',
    async (range) => {
      const { status, code, headers } = await download({ range });
      expect({ status, code }).toEqual({ status: 416, code: 'RANGE_NOT_SATISFIABLE' });
      expect(headers.get('content-range')).toBe('bytes */10000');
    },
  );

  test.each(['bytes=0-1,5-6', 'items=0-1', 'bytes', 'bytes=-', 'bytes=5-2', 'bytes=a-b', 'nonsense'])(
    'answers 200 for %s, which is not a single range of bytes',
    async (range) => {
      const { status, headers, bytes: got } = await download({ range });
      expect({ status, range: headers.get('content-range'), length: got.length }).toEqual({ status: 200, range: null, length: 10_000 });
    },
  );

  test('is used only if If-Range has the ETag', async () => {
    const etag = (await download()).headers.get('etag') ?? '';
    const range = 'bytes=0-1';
    expect((await download({ range, 'if-range': etag })).status).toBe(206);
    expect((await download({ range, 'if-range': '"other"' })).status).toBe(200);
    expect((await download({ range, 'if-range': `W/${etag}` })).status).toBe(200);
  });
});
