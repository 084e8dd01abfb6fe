import type { Problem } from '@profile-service/contracts';
import { describe, expect, test } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
/** Allows three calls per caller and hour. */
const strict = duringTests(() => world.another({ RATE_LIMIT_CALLER_PER_SECOND: '3' }, { limitWindowSeconds: 3600 }));

interface Called {
  result?: unknown;
  error?: { message: string; data: { code: string; httpStatus: number; problem: Problem } };
}

async function batch(url: string, token: string, procedures: string[]): Promise<{ response: Response; calls: Called[]; codes: string[] }> {
  const target = `${url}/trpc/${procedures.join(',')}?batch=1&input=${encodeURIComponent('{}')}`;
  const response = await fetch(target, { headers: { authorization: `Bearer ${token}` } });
  const calls = [(await response.json()) as Called | Called[]].flat();
  return { response, calls, codes: calls.map(({ error }) => error?.data.problem.code ?? 'success') };
}
const many = (count: number) => Array.from({ length: count }, () => 'me.tenants');

describe('a batch', () => {
  test('counts once for each call in the limit of the caller, and gets 429 if all its calls exceed it', async () => {
    const { token } = await world.person();
    const { response, calls, codes } = await batch(strict.url, token, many(5));
    expect(codes.toSorted()).toEqual(['RATE_LIMITED', 'RATE_LIMITED', 'success', 'success', 'success']);
    expect([response.status, response.headers.get('retry-after')]).toEqual([207, '1']);
    const rejected = calls.find(({ error }) => error)?.error;
    expect(rejected?.data).toMatchObject({ code: 'TOO_MANY_REQUESTS', httpStatus: 429, problem: { status: 429 } });
    expect((await strict.call({ token }, 'GET /api/me/tenants')).code).toBe('RATE_LIMITED');
    const { response: second, codes: secondCodes } = await batch(strict.url, token, many(2));
    expect([second.status, second.headers.get('retry-after'), ...secondCodes]).toEqual([429, '1', 'RATE_LIMITED', 'RATE_LIMITED']);
    expect(second.headers.get('ratelimit')).toMatch(/^"caller";r=0;t=\d+$/);
  });

  test('counts once for each call in the limit of the address', async () => {
    const { url } = await world.another({ RATE_LIMIT_ADDRESS_PER_SECOND: '10' }, { limitWindowSeconds: 3600 });
    expect((await batch(url, 'no token', many(9))).codes).toEqual(many(9).map(() => 'UNAUTHORIZED'));
    const { response, codes } = await batch(url, 'no token', many(2));
    expect([response.status, ...codes]).toEqual([429, 'RATE_LIMITED', 'RATE_LIMITED']);
    expect((await batch(url, world.global.token ?? '', many(1))).codes).toEqual(['RATE_LIMITED']);
  });

  test.each([',', '%2C'])('has at most 100 calls, otherwise it runs none of them: separated by %s', async (comma) => {
    const { token } = await world.person();
    expect((await batch(world.service.url, token, [many(100).join(comma)])).codes).toEqual(many(100).map(() => 'success'));
    const { response, calls, codes } = await batch(world.service.url, token, [many(101).join(comma)]);
    expect([response.status, ...codes]).toEqual([400, 'VALIDATION_FAILED']);
    expect(calls[0]?.error?.data.problem.errors).toEqual([{ path: '', message: 'Batch call exceeds maximum size' }]);
    const names = Array.from({ length: 101 }, () => 'apps.create').join(comma);
    const inputs = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [index, { name: `App ${index}` }]));
    expect((await world.call(world.global, `POST /trpc/${names}?batch=1`, inputs)).status).toBe(400);
    expect(await world.sql("select name from apps where name like 'App %'")).toEqual([]);
  });
});
