import { errors, errorsOf } from '@profile-service/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { guardScenarios, validCall } from '../endpoints/calls.ts';
import { useFixture } from '../endpoints/fixture.ts';
import { type Attempt, rest } from '../endpoints/send.ts';
import { absentKey, reads, scopedTypes } from './versioned.ts';

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

  test('returns 304 only to a caller who may see the record', async () => {
    for (const code of errorsOf(endpoint).filter((each) => each in guardScenarios && errors[each].status < 404)) {
      const { actor } = await guardScenarios[code]!(fixture, name, endpoint);
      const { problem, etag: shown } = await get('*', { actor });
      expect([problem?.code, shown]).toEqual([code, null]);
    }
    if (!scopedTypes.includes(type)) return;
    expect((await get(etag, { actor: fixture.members['tenant-admin'] })).status).toBe(304);
    expect((await get(etag, { actor: await fixture.world.person({ [fixture.foreign.id]: 'tenant-admin' }) })).status).toBe(404);
  });

  test('returns 404 for an absent record with If-None-Match: *', async () => {
    const { status, etag: shown } = await get('*', { input: absentKey(attempt.input) });
    expect([status, shown]).toEqual([404, null]);
  });
});
