import { errors, errorsOf } from '@profile-service/contracts';
import { absentId } from '@profile-service/contracts/examples';
import { beforeAll, describe, expect, test } from 'vitest';
import { guardScenarios, validCall } from '../endpoints/calls.ts';
import { useFixture } from '../endpoints/fixture.ts';
import { type Attempt, rest } from '../endpoints/send.ts';
import { change } from './new-values.ts';
import { newRecord, reads, updates } from './versioned.ts';

const fixture = useFixture();

describe.each(reads)('$name', ({ name, endpoint, type }) => {
  let attempt: Attempt;
  let etag: string;
  beforeAll(async () => {
    attempt = await validCall(fixture, name, endpoint);
    etag = (await rest(attempt, name, endpoint)).etag ?? '';
  });
  const get = (ifNoneMatch: string, changes: Partial<Attempt> = {}) => rest({ ...attempt, ...changes, ifNoneMatch }, name, endpoint);

  test('returns 304 without content for the current version', async () => {
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, key: string) => String(attempt.input[key]));
    for (const condition of [etag, `W/${etag}`, `"0", ${etag}`, `${etag},W/"0"`, ` , "a,b" ,\t${etag} ,`, '*', ' * ']) {
      const response = await fixture.world.call(attempt.actor, `GET ${path}`, undefined, { 'if-none-match': condition });
      expect([condition, response.status, response.bytes.length, response.headers.get('etag')]).toEqual([condition, 304, 0, etag]);
      expect([response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([null, 'no-store']);
    }
  });

  test('returns the record for another version, and for a malformed If-None-Match', async () => {
    const others = ['"0"', `"${etag}`, 'W/"0"', '""', `"0", "1"`, `"x${etag.slice(1)}`];
    for (const condition of [...others, '', etag.slice(1, -1), `${etag}, *`, `w/${etag}`, `${etag} "0"`, `${etag}x`, ',', '"'])
      expect([condition, (await get(condition)).status]).toEqual([condition, 200]);
  });

  test('returns the record again after a change', async () => {
    const { key, etag: first } = await newRecord(
      fixture,
      updates.find((update) => update.type === type)!,
    );
    await change(fixture, type, key);
    const { status, etag: second } = await get(first, { input: key });
    expect([status, second === first]).toEqual([200, false]);
  });

  test('returns 304 only to a caller who may see the record', async () => {
    const forbidden = errorsOf(endpoint).filter((code) => code in guardScenarios && errors[code].status < 404);
    for (const code of forbidden) {
      const { actor } = await guardScenarios[code]!(fixture, name, endpoint);
      const { problem, etag: shown } = await get('*', { actor });
      expect([problem?.code, shown]).toEqual([code, null]);
    }
  });

  test('returns 404 for an absent record with If-None-Match: *', async () => {
    const key = Object.fromEntries(
      Object.entries(attempt.input).map(([field, value]) => [field, typeof value === 'number' ? 99 : absentId]),
    );
    const { status, etag: shown } = await get('*', { input: key });
    expect([status, shown]).toEqual([404, null]);
  });
});

test.each(reads.filter(({ type }) => ['organization', 'organizationAddress', 'organizationContact', 'attachment'].includes(type)))(
  '$name returns 404, not 304, for a record outside the scope',
  async ({ name, endpoint }) => {
    const attempt = await validCall(fixture, name, endpoint);
    const { etag } = await rest(attempt, name, endpoint);
    const inside = { ...attempt, actor: fixture.members['tenant-admin'], ifNoneMatch: etag ?? '' };
    const outside = { ...inside, actor: await fixture.world.person({ [fixture.foreign.id]: 'tenant-admin' }) };
    expect((await rest(inside, name, endpoint)).status).toBe(304);
    expect((await rest(outside, name, endpoint)).status).toBe(404);
  },
);

test('a file that is not modified is not read from the storage', async () => {
  const { name, endpoint } = reads.find(({ type }) => type === 'attachment')!;
  const attempt = await validCall(fixture, name, endpoint);
  const response = await rest({ ...attempt, ifNoneMatch: '*', range: 'bytes=0-9' }, name, endpoint);
  expect(response.status).toBe(304);
});
