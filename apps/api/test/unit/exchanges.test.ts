import { expect, test } from 'vitest';
import { describeExchanges } from '../support/exchanges.ts';

test('a failing test shows its last request and the response, without the token', () => {
  const exchange = (target: string, status: number) => ({
    target,
    headers: { authorization: 'Bearer secret', 'x-tenant-id': 'a' },
    body: '{"name":"Ana"}',
    response: { status, body: Buffer.from('{"code":"NOT_ALLOWED"}') },
  });
  expect(describeExchanges([exchange('GET /api/apps', 200), exchange('POST /api/users', 403)])).toBe(`Earlier requests:
GET /api/apps -> 200

Last request:
POST /api/users
authorization: ***
x-tenant-id: a

{"name":"Ana"}

Response: 403
{"code":"NOT_ALLOWED"}`);
});
