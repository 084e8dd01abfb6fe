import { describe, expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { send } from './request.ts';

const world = useWorld();

/** RFC 6750, section 3.1: the response to a request without token has no error code. */
describe.each(['GET /api/customers', 'GET /service/cooperatives', 'GET /trpc/customers.list'])('WWW-Authenticate of %s', (target) => {
  const challenge = async (authorization?: string) => {
    const { status, headers } = await send(world.service.url, target, authorization === undefined ? {} : { headers: { authorization } });
    return [status, headers['www-authenticate']];
  };

  // Rules: ERRORS-7
  test.each([undefined, '', 'Bearer', 'Bearer ', 'Basic YTpi', 'Bearers x'])('has no error without a token: %j', async (authorization) => {
    expect(await challenge(authorization)).toEqual([401, 'Bearer']);
  });

  // Rules: ERRORS-7
  test.each(['Bearer x', 'bearer x', 'Bearer a b', 'Bearer a.b.c'])('has invalid_token for an invalid token: %j', async (authorization) => {
    expect(await challenge(authorization)).toEqual([401, 'Bearer error="invalid_token"']);
  });

  test('has invalid_token for an expired token', async () => {
    const token = await world.tokenOf({ claims: { exp: 1 } });
    expect(await challenge(`Bearer ${token}`)).toEqual([401, 'Bearer error="invalid_token"']);
  });
});
