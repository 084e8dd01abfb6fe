import { endpoints, httpMethodsOf } from '@profile-service/contracts';
import { describe, expect, test } from 'vitest';
import { headersOf } from '../support/call.ts';
import { lookInto, upload } from '../support/files.ts';
import { targetOf } from '../support/target.ts';
import { send, type Wire } from '../transports/request.ts';
import { validCall } from './calls.ts';
import { useFixture } from './fixture.ts';

const fixture = useFixture();

const reads = endpoints.filter(({ endpoint: { method, events, media } }) => method === 'GET' && events.length === 0 && media !== 'stream');

/** Sends GET and HEAD. @returns the parts of both responses that must be equal */
async function both(path: string, wire: Wire = {}) {
  const [get, head] = [
    await send(fixture.world.service.url, `GET ${path}`, wire),
    await send(fixture.world.service.url, `HEAD ${path}`, wire),
  ];
  expect(head.bytes.length).toBe(0);
  const shown = ({ status, headers }: typeof get) => {
    // The length of an export is unknown.
    const { date: _date, 'x-request-id': _id, ratelimit: _limit, 'transfer-encoding': _encoding, ...rest } = headers;
    return { status, headers: rest };
  };
  expect(shown(head)).toEqual(shown(get));
  return head;
}

const asGlobal = () => ({ authorization: `Bearer ${fixture.world.global.token}` });

describe('HEAD has the status and headers of GET, without the body:', () => {
  test.each(reads)('$name', async ({ name, endpoint }) => {
    expect(httpMethodsOf(endpoint)).toEqual(['GET', 'HEAD']);
    const { actor, input } = await validCall(fixture, name, endpoint);
    const { target: path } = targetOf(endpoint.path, Object.keys(endpoint.query), input);
    const headers = { 'x-request-id': 'same', ...headersOf(actor) };
    const { status, headers: received } = await both(path, { headers });
    expect(status).toBe(endpoint.success);
    expect(endpoint.media === 'export' || Number(received['content-length']) > 0).toBe(true);
    const { etag } = received;
    const revalidated = etag && (await both(path, { headers: { ...headers, 'if-none-match': etag } })).status;
    expect(revalidated).toBe(etag && 304);
    expect((await both(path, { headers: { 'x-request-id': 'same' } })).status).toBe(401);
  });

  test('a record that does not exist', async () => {
    const headers = { ...asGlobal(), 'x-request-id': 'same' };
    expect((await both('/api/customers/01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f', { headers })).status).toBe(404);
  });
});

test('HEAD of a download ignores Range and does not read the file', async () => {
  const { world } = fixture;
  const { body } = await upload(world, world.global);
  const path = `HEAD /api/attachments/${body.id}`;
  const whole = await send(world.service.url, path, { headers: { ...asGlobal(), range: 'bytes=0-1' } });
  expect([whole.status, whole.headers['content-length']]).toEqual([200, '1000']);
  await lookInto(world).remove(body.filePath);
  // More requests than a tenant has slots for downloads.
  for (let count = 0; count < 20; count++)
    expect((await send(world.service.url, path, { headers: asGlobal() })).headers['content-length']).toBe('1000');
});
