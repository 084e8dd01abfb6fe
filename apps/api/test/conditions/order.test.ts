import { errors, type ErrorCode, records } from '@profile-service/contracts';
import { exampleOf } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { type FixtureWithBrokenInstances, scenarioOf, validCall } from '../endpoints/calls.ts';
import { useFixture } from '../endpoints/fixture.ts';
import { overEachTransport, read, type Versioned, writes } from './versioned.ts';

/** In which order a conditional write finds what is wrong. */
const fixture = useFixture();

/** The endpoint's own errors. The scenarios of these need no broken instance. */
const ownCodes = ({ name }: Versioned) => Object.keys(exampleOf(name).errors ?? {}) as ErrorCode[];
/** Whether the error comes before 412: the record is absent, or the request is forbidden. The path of a scope names a user and a membership. */
const comesFirst = ({ type }: Versioned, code: ErrorCode) =>
  code === records[type].notFound || errors[code].status === 403 || (type === 'organizationScope' && code === 'USER_NOT_FOUND');
const begin = ({ name, endpoint }: Versioned, code: ErrorCode) =>
  scenarioOf(name, code)(fixture as FixtureWithBrokenInstances, name, endpoint);

describe.each(overEachTransport(writes))('$name over $transport', (one) => {
  const { name, endpoint, type, call } = one;

  test('returns the 403s and the 404 of the record before 412, and 412 before other errors', async () => {
    for (const code of ownCodes(one)) {
      const { problem } = await call({ ...(await begin(one, code)), ifMatch: '"0"' }, name, endpoint);
      expect([code, problem?.code]).toEqual([code, comesFirst(one, code) ? code : 'PRECONDITION_FAILED']);
    }
  });

  test('returns each error of state if the version is current', async () => {
    for (const code of ownCodes(one).filter((own) => !comesFirst(one, own))) {
      const attempt = await begin(one, code);
      const { etag } = await read(fixture, type, attempt.input);
      const { problem } = await call({ ...attempt, ifMatch: etag ?? '' }, name, endpoint);
      expect([code, problem?.code]).toEqual([code, code]);
    }
  });

  test('checks the input before If-Match, and If-Match before the record', async () => {
    const attempt = await validCall(fixture, name, endpoint);
    const { status, problem } = await call({ ...attempt, ifMatch: 'no tag' }, name, endpoint);
    expect([status, problem?.errors?.map(({ path }) => path)]).toEqual([400, ['If-Match']]);
  });
});

describe('the rule that only Global users change Global users', () => {
  const holder = async () => ({
    token: await fixture.world.tokenOf({ sub: fixture.members.viewer.subject, roles: ['users:update', 'users:delete'] }),
  });
  const ask = async (target: string, ifMatch: string, body?: unknown) =>
    (await fixture.world.call(await holder(), target, body, { 'if-match': ifMatch })).code;

  test('comes before 412, for every condition', async () => {
    const target = `/api/users/${fixture.globalMember.id}`;
    for (const ifMatch of ['"0"', '*']) {
      expect(await ask(`PUT ${target}`, ifMatch, { name: 'Other' })).toBe('NOT_ALLOWED');
      expect(await ask(`DELETE ${target}`, ifMatch)).toBe('NOT_ALLOWED');
      expect(await ask(`PUT /api/users/${fixture.members.viewer.id}`, ifMatch, { type: 'Global' })).toBe('NOT_ALLOWED');
    }
    expect(await ask(`PUT /api/users/${fixture.members.viewer.id}`, '"0"', { name: 'Other' })).toBe('PRECONDITION_FAILED');
  });
});

test('a caller outside the scope gets the 404 of the record for every condition', async () => {
  const outside = await fixture.world.person({ [fixture.foreign.id]: 'tenant-admin' });
  const scoped = writes.filter(({ type }) => ['organization', 'organizationAddress', 'organizationContact', 'attachment'].includes(type));
  for (const one of overEachTransport(scoped)) {
    const attempt = await validCall(fixture, one.name, one.endpoint);
    for (const ifMatch of ['"0"', '*']) {
      const { problem } = await one.call({ ...attempt, actor: outside, ifMatch }, one.name, one.endpoint);
      expect([one.name, problem?.code]).toEqual([one.name, records[one.type].notFound]);
    }
  }
});
