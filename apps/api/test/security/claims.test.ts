import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { duringTests } from '../../../../test/during-tests.ts';
import { quickKey } from '../../../../test/quick-key.ts';
import { outcome } from '../support/api.ts';
import { recordLog } from '../support/recorded-log.ts';
import { useMember, useTenant } from '../support/use-people.ts';
import { profileClient, useWorld } from '../support/world.ts';

const key = { ...quickKey(), kid: 'claims' };
const privateKey = createPrivateKey({ key, format: 'jwk' });

const world = useWorld();
const tenant = useTenant(world);
const person = useMember(world, tenant, 'viewer');
const { log, lines } = recordLog();
const api = duringTests(() => world.another({ IDENTITY_AUDIENCE: profileClient.clientId }, { log }));
/** What the person may do with a token that has no unusual claims. */
let permissions: unknown;
beforeAll(async () => {
  await world.identity.rotateKey(key);
  permissions = (await api.call({ token: tokenOf(ofUser(), {}) }, user)).body;
});

const user = 'GET /api/me/permissions';
const application = 'GET /service/cooperatives';
const ofUser = () => ({ sub: person.subject, azp: 'web', sid: randomUUID() });
const ofApplication = () => ({ sub: randomUUID(), azp: tenant.clientId });

/** A value as JSON text, because some JSON numbers have no equivalent in JavaScript. */
type Json = string;

/** Signs a token. @param changed claims and header fields that replace the usual ones */
function tokenOf(base: object, changed: { claims?: Record<string, Json>; header?: Record<string, Json> }): string {
  const now = Math.floor(Date.now() / 1000);
  const usual = { iss: world.identity.realmUrl, aud: profileClient.clientId, typ: 'Bearer', iat: now, exp: now + 3_600, ...base };
  const content = `${part({ alg: 'EdDSA', kid: key.kid }, changed.header)}.${part(usual, changed.claims)}`;
  return `${content}.${sign(null, Buffer.from(content), privateKey).toString('base64url')}`;
}

function part(usual: object, changed: Record<string, Json> = {}): string {
  const all = { ...Object.fromEntries(Object.entries(usual).map(([name, value]) => [name, JSON.stringify(value)])), ...changed };
  const fields = Object.entries(all).map(([name, value]) => `${JSON.stringify(name)}:${value}`);
  return Buffer.from(`{${fields.join(',')}}`).toString('base64url');
}

const numbers = ['0', '-0', '-1', '0.5', '1e308', '1e999', '-1e999', '9007199254740993'];
const constants = ['null', 'true', 'false'];
const lists = ['[]', '[null]', '["x"]', '[[["x"]]]', `[${'"users:create",'.repeat(500)}1]`, `${'['.repeat(2_000)}${']'.repeat(2_000)}`];
const objects = [
  '{"__proto__":{"roles":["super_admin"]}}',
  '{"roles":{"length":1,"0":"super_admin"}}',
  '{"roles":[{},null,1,["super_admin"],{"toString":1}]}',
  '{"toString":null,"valueOf":1}',
  '{"permissions":[{"rsname":{"toString":null},"scopes":["read"]},{"rsname":["resource:users"],"scopes":["read","create"]}]}',
  `{"roles":[${'"x",'.repeat(2_000)}{}]}`,
];
/** Texts that cannot identify anyone. */
const badTexts = ['', 'a\0b', '\u0001', 'a\tb', 'a\nb', '\u001b[31m', '\u007f', '\u0085', '\ud800', 'a\udc00b', 'x'.repeat(256)].map(
  (text) => JSON.stringify(text),
);
/** Texts that could identify someone, but do not. */
const otherTexts = [' ', '__proto__', 'constructor', '\uffff', '\ufffd', '😀'.repeat(255), "' or 1=1; --", '*', 'user_auth_epoch'].map(
  (text) => JSON.stringify(text),
);
const all = [...numbers, ...constants, ...lists, ...objects, ...badTexts, ...otherTexts];

/** Calls the service with each value. @returns the outcomes, each with the values that had it */
async function callAll(target: string, base: object, name: string, values: readonly Json[], place: 'claims' | 'header' = 'claims') {
  const byOutcome = new Map<string | number, Json[]>();
  await Promise.all(
    values.map(async (value) => {
      const response = await api.call({ token: tokenOf(base, { [place]: { [name]: value } }) }, target);
      const hasUsualBody = response.status !== 200 || target !== user || isDeepStrictEqual(response.body, permissions);
      const result = hasUsualBody ? outcome(response) : 'other permissions';
      byOutcome.set(result, [...(byOutcome.get(result) ?? []), value]);
    }),
  );
  return Object.fromEntries([...byOutcome].map(([result, found]) => [result, found.toSorted()]));
}

const sorted = (expected: Results) => Object.fromEntries(Object.entries(expected).map(([result, values]) => [result, values.toSorted()]));

type Results = Record<string, readonly Json[]>;
const [pastTimes, distantTimes] = [{ 200: ['0', '-0', '-1', '0.5', '-1e999'] }, { 200: ['1e308', '9007199254740993'] }];
// Rules: AUTH-1
test.each<[name: string, ofUsers: Results, ofApplications: Results]>([
  ['sub', { USER_NOT_PROVISIONED: otherTexts }, { 200: otherTexts }],
  ['azp', { 200: otherTexts }, { CLIENT_NOT_LINKED: otherTexts }],
  ['iss', {}, {}],
  ['aud', {}, {}],
  ['typ', {}, {}],
  ['exp', distantTimes, distantTimes],
  ['nbf', pastTimes, pastTimes],
  ['iat', { 200: numbers }, { 200: numbers }],
  // Any value shows a session, and an application has none.
  ['sid', { 200: all }, { CLIENT_NOT_LINKED: all }],
])('the claim %s: every value that the service does not know is 401', async (name, ofUsers, ofApplications) => {
  for (const [target, base, expected] of [
    [user, ofUser(), ofUsers],
    [application, ofApplication(), ofApplications],
  ] as const) {
    const accepted = Object.values(expected).flat();
    const rejected = all.filter((value) => !accepted.includes(value));
    const results = rejected.length > 0 ? { ...expected, UNAUTHORIZED: rejected } : expected;
    expect(await callAll(target, base, name, all)).toEqual(sorted(results));
  }
});

const ofProvider = ['realm_access', 'resource_access', 'authorization', 'roles', 'permissions', 'scope', 'client_id', 'email', 'act'];
// Rules: AUTH-9, AUTH-10
test.each([...ofProvider, '__proto__', 'constructor', ''])('the claim %j grants nothing, whatever its value', async (name) => {
  expect(await callAll(user, ofUser(), name, all)).toEqual(sorted({ 200: all }));
  expect(await callAll(application, ofApplication(), name, all)).toEqual(sorted({ 200: all }));
});

test('roles and permissions of an unknown structure grant nothing', async () => {
  const roles = all.map((value) => `{"${profileClient.clientId}":${value}}`);
  expect(await callAll(user, ofUser(), 'resource_access', roles)).toEqual(sorted({ 200: roles }));
  const permissionsOfRpt = all.flatMap((value) => [
    `{"permissions":${value}}`,
    `{"permissions":[${value}]}`,
    `{"permissions":[{"rsname":${value},"scopes":["read"]}]}`,
    `{"permissions":[{"rsname":"resource:users","scopes":${value}}]}`,
  ]);
  expect(await callAll(user, ofUser(), 'authorization', permissionsOfRpt)).toEqual(sorted({ 200: permissionsOfRpt }));
});

describe('a field of the header', () => {
  const used = ['alg', 'kid', 'crit'];
  // Rules: AUTH-3, AUTH-4
  test.each([...used, 'typ', 'jku', 'x5u', 'jwk', 'x5c', 'b64', 'zip', '__proto__'])(
    '%s: every other value is 401, or not used',
    async (name) => {
      const result = used.includes(name) ? 'UNAUTHORIZED' : 200;
      expect(await callAll(user, ofUser(), name, all, 'header')).toEqual(sorted({ [result]: all }));
    },
  );

  test('crit with b64: an unencoded payload is 401', async () => {
    const token = tokenOf(ofUser(), { header: { crit: '["b64"]', b64: 'false' } });
    expect(outcome(await api.call({ token }, user))).toBe('UNAUTHORIZED');
  });
});

test('no token has caused an error in the log', () => {
  expect(lines().length).toBeGreaterThan(1_000);
  expect(lines().filter(({ level }) => level >= 40)).toEqual([]);
});
