import type { JWTPayload } from 'jose';
import { expect, test } from 'vitest';
import { readClaims } from '../../src/claims.ts';

const own = 'profile-service';
const read = (claims: Record<string, unknown>, clientId = own) =>
  readClaims({ sub: 'a-person', ...claims } as JWTPayload & { sub: string }, clientId);
const grant = { rsid: 'an-id', rsname: 'resource:organizations', scopes: ['read', 'update'] };
const rpt = (aud: unknown) => ({ aud, authorization: { permissions: [grant, { rsname: 'resource:cities', scopes: [] }] } });

test.each<readonly [unknown, number]>([
  [own, 2],
  [[own], 2],
  [['account', own], 2],
  ...[undefined, 'account', ['account', 'web'], [], 5, { [own]: true }].map((aud) => [aud, 0] as const),
])('an RPT for %j grants %i permissions', (aud, count) => expect(read(rpt(aud)).permissions.size).toBe(count));

test('a client named like a property of every object has no roles', () => {
  for (const clientId of ['constructor', '__proto__']) expect(read({ resource_access: {} }, clientId).roles).toEqual(new Set());
});
