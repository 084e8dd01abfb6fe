import type { JWTPayload } from 'jose';
import { describe, expect, test } from 'vitest';
import { permissionKey, readClaims } from '../../src/claims.ts';

const own = 'profile-service';
const read = (claims: Record<string, unknown>) => readClaims({ sub: 'a-person', ...claims } as JWTPayload & { sub: string }, own);
const rpt = (permissions: unknown, aud: unknown = own) => ({ aud, authorization: { permissions } });
const grant = { rsid: 'an-id', rsname: 'resource:organizations', scopes: ['read', 'update'] };

test('all claims of a user’s token are read', () => {
  const claims = read({
    azp: 'web',
    sid: 'a-session',
    aud: [own, 'account'],
    realm_access: { roles: ['offline_access', 'super_admin'] },
    resource_access: { [own]: { roles: ['users:create'] }, account: { roles: ['view-profile'] } },
    authorization: { permissions: [grant] },
  });
  expect(claims).toEqual({
    sub: 'a-person',
    azp: 'web',
    hasSession: true,
    roles: new Set(['offline_access', 'super_admin', 'users:create']),
    isSuperAdmin: true,
    permissions: new Set([permissionKey('resource:organizations', 'read'), permissionKey('resource:organizations', 'update')]),
  });
});

describe('the following are ignored:', () => {
  test.each([[undefined], ['account'], [['account', 'web']], [[]], [5], [{ [own]: true }]])('permissions of an RPT for %j', (aud) => {
    expect(read({ ...rpt([grant]), aud }).permissions).toEqual(new Set());
  });
});

test.each([[own], [[own]], [['account', own]]])('the permissions of an RPT for %j are read', (aud) => {
  expect(read(rpt([grant, { rsname: 'resource:cities', scopes: [] }], aud)).permissions.size).toBe(2);
});

const garbage = [
  null,
  undefined,
  0,
  5,
  '',
  'text',
  true,
  [],
  [null],
  [[]],
  {},
  { roles: null },
  { roles: 'users:create' },
  { roles: {} },
  { roles: [1, null, {}, ['users:create']] },
];

describe('claims with an unknown structure are ignored:', () => {
  test.each(garbage.map((value) => [value]))('%j', (value) => {
    for (const claims of [
      { realm_access: value },
      { resource_access: value },
      { resource_access: { [own]: value } },
      { aud: own, authorization: value },
      rpt(value),
      rpt([value]),
      rpt([{ rsname: value, scopes: value }]),
      { azp: value === 'text' ? undefined : value },
    ]) {
      const { roles, permissions, isSuperAdmin, azp } = read(claims);
      expect({ roles, permissions, isSuperAdmin, azp }).toEqual({ roles: new Set(), permissions: new Set(), isSuperAdmin: false, azp: '' });
    }
  });

  test.each([[{ toString: null }], [['resource:organizations']]])('a permission whose name is %j', (rsname) => {
    expect(read(rpt([{ rsname, scopes: ['read'] }])).permissions).toEqual(new Set());
  });

  test('a client named like a property of every object', () => {
    expect(readClaims({ sub: 'a-person', resource_access: {} }, 'constructor').roles).toEqual(new Set());
    expect(readClaims({ sub: 'a-person', resource_access: {} }, '__proto__').roles).toEqual(new Set());
  });
});
