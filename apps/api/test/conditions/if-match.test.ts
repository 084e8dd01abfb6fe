import { acceptsIfMatch, endpoints, type ErrorCode, errors, records } from '@profile-service/contracts';
import { exampleOf } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { callToRefuse, type FixtureWithBrokenInstances, scenarioOf, validCall } from '../endpoints/calls.ts';
import { useFixture } from '../endpoints/fixture.ts';
import { absentKey, change, keyOf, overEachTransport, read, scopedTypes, transports, type Versioned, writes } from './versioned.ts';

const fixture = useFixture();

/** Numbers of audit entries and events. */
const recorded = async () =>
  fixture.world.sql('select (select count(*)::int from audit_entries) as entries, (select count(*)::int from events) as events');

/** The endpoint's own errors. The scenarios of these need no broken instance. */
const ownCodes = ({ name }: Versioned) => Object.keys(exampleOf(name).errors ?? {}) as ErrorCode[];
/** Whether the error comes before 412: the record is absent, or the request is forbidden. The path of a scope names a user and a membership. */
const comesFirst = ({ type }: Versioned, code: ErrorCode) =>
  code === records[type].notFound || errors[code].status === 403 || (type === 'organizationScope' && code === 'USER_NOT_FOUND');
const causeOf = ({ name, endpoint }: Versioned, code: ErrorCode) =>
  scenarioOf(name, code)(fixture as FixtureWithBrokenInstances, name, endpoint);

describe.each(overEachTransport(writes))('$name over $transport', (one) => {
  const { name, endpoint, type, call } = one;
  /** A valid call of a new record, with the current version of the record. */
  async function begin() {
    const attempt = await validCall(fixture, name, endpoint);
    const key = keyOf(type, attempt.input);
    const { etag } = await read(fixture, type, key);
    return { attempt, key, etag: etag ?? '' };
  }

  test('succeeds with the current version', async () => {
    for (const condition of [(tag: string) => tag, (tag: string) => `W/${tag}`, (tag: string) => `"0", ${tag}`, () => '*']) {
      const { attempt, etag } = await begin();
      const { problem } = await call({ ...attempt, ifMatch: condition(etag) }, name, endpoint);
      expect([condition(etag), problem]).toEqual([condition(etag), undefined]);
    }
  });

  test('returns 412 for another version, and changes nothing', async () => {
    const { attempt, key, etag } = await begin();
    await change(fixture, type, key);
    const [before, written] = [await read(fixture, type, key), await recorded()];
    for (const stale of [etag, `W/${etag}`, '"0"', `"0", ${etag}`, '""']) {
      const { status, problem, etag: shown } = await call({ ...attempt, ifMatch: stale }, name, endpoint);
      expect([stale, status, problem?.code, shown]).toEqual([stale, 412, 'PRECONDITION_FAILED', null]);
    }
    expect(await read(fixture, type, key)).toEqual(before);
    expect(await recorded()).toEqual(written);
  });

  test('returns the 404 of an absent record, also with If-Match: *', async () => {
    const { attempt, key } = await begin();
    const code = 'userId' in key ? 'USER_NOT_FOUND' : records[type].notFound;
    for (const condition of ['*', '"0"']) {
      const { problem } = await call({ ...attempt, input: { ...attempt.input, ...absentKey(key) }, ifMatch: condition }, name, endpoint);
      expect([condition, problem?.code]).toEqual([condition, code]);
    }
  });

  test('returns 400 for a malformed If-Match', async () => {
    const { attempt, key, etag } = await begin();
    for (const malformed of ['', etag.slice(1, -1), `${etag}, *`, `w/${etag}`, `${etag} "0"`, `${etag}x`, ',', '"']) {
      const { status, problem } = await call({ ...attempt, ifMatch: malformed }, name, endpoint);
      expect([malformed, status, problem?.code, problem?.errors?.[0]?.path]).toEqual([malformed, 400, 'VALIDATION_FAILED', 'If-Match']);
    }
    expect((await read(fixture, type, key)).etag).toBe(etag);
  });

  test('returns the 403s and the 404 of the record before 412, and 412 before other errors, which the current version has', async () => {
    for (const code of ownCodes(one)) {
      const attempt = await causeOf(one, code);
      const { problem } = await call({ ...attempt, ifMatch: '"0"' }, name, endpoint);
      expect([code, problem?.code]).toEqual([code, comesFirst(one, code) ? code : 'PRECONDITION_FAILED']);
      if (comesFirst(one, code)) continue;
      const { etag } = await read(fixture, type, attempt.input);
      const current = await call({ ...attempt, ifMatch: etag ?? '' }, name, endpoint);
      expect([code, current.problem?.code]).toEqual([code, code]);
    }
  });
});

test.each(endpoints.filter(({ endpoint }) => !acceptsIfMatch(endpoint)))(
  '$name, which is never conditional, returns 400 for If-Match',
  async (one) => {
    const { name, endpoint } = one;
    for (const [transport, call] of transports.filter(([each]) => each === 'REST' || endpoint.media === 'json')) {
      const attempt = await callToRefuse(fixture, name, endpoint);
      for (const ifMatch of ['*', '"1"', 'no tag']) {
        const { status, problem } = await call({ ...attempt, ifMatch }, name, endpoint);
        expect([transport, status, problem?.errors?.[0]?.path]).toEqual([transport, 400, 'If-Match']);
      }
    }
  },
);

test('the rule that only Global users change Global users comes before 412, for every condition', async () => {
  const { world, members, globalMember } = fixture;
  const { id, subject } = members.viewer;
  const holder = { token: await world.tokenOf({ sub: subject, roles: ['users:update', 'users:delete'] }) };
  const codeOf = async (target: string, ifMatch: string, body?: object) =>
    (await world.call(holder, target, body, { 'if-match': ifMatch })).code;
  for (const ifMatch of ['"0"', '*']) {
    expect(await codeOf(`PUT /api/users/${globalMember.id}`, ifMatch, { name: 'Other' })).toBe('NOT_ALLOWED');
    expect(await codeOf(`DELETE /api/users/${globalMember.id}`, ifMatch)).toBe('NOT_ALLOWED');
    expect(await codeOf(`PUT /api/users/${id}`, ifMatch, { type: 'Global' })).toBe('NOT_ALLOWED');
  }
  expect(await codeOf(`PUT /api/users/${id}`, '"0"', { name: 'Other' })).toBe('PRECONDITION_FAILED');
});

test('a caller outside the scope gets the 404 of the record for every condition', async () => {
  const actor = await fixture.world.person({ [fixture.foreign.id]: 'tenant-admin' });
  for (const { name, endpoint, type, call } of overEachTransport(writes.filter((one) => scopedTypes.includes(one.type)))) {
    const attempt = await validCall(fixture, name, endpoint);
    for (const ifMatch of ['"0"', '*']) {
      const { problem } = await call({ ...attempt, actor, ifMatch }, name, endpoint);
      expect([name, problem?.code]).toEqual([name, records[type].notFound]);
    }
  }
});
