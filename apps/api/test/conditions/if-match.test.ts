import { acceptsIfMatch, endpoints, records } from '@profile-service/contracts';
import { absentId } from '@profile-service/contracts/examples';
import { describe, expect, test } from 'vitest';
import { callToRefuse, validCall } from '../endpoints/calls.ts';
import { useFixture } from '../endpoints/fixture.ts';
import { change } from './new-values.ts';
import { keyOf, overEachTransport, read, transports, updates, writes } from './versioned.ts';

const fixture = useFixture();

/** Numbers of audit entries and events. */
const recorded = async () =>
  fixture.world.sql('select (select count(*)::int from audit_entries) as entries, (select count(*)::int from events) as events');

describe.each(overEachTransport(writes))('$name over $transport', ({ name, endpoint, type, call }) => {
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
    const absent = Object.fromEntries(Object.entries(key).map(([field, value]) => [field, typeof value === 'number' ? 99 : absentId]));
    const code = 'userId' in key ? 'USER_NOT_FOUND' : records[type].notFound;
    for (const condition of ['*', '"0"']) {
      const { problem } = await call({ ...attempt, input: { ...attempt.input, ...absent }, ifMatch: condition }, name, endpoint);
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
});

describe.each(endpoints.filter(({ endpoint }) => !acceptsIfMatch(endpoint)))('$name, which is never conditional,', ({ name, endpoint }) => {
  const own = transports.filter(([transport]) => transport === 'REST' || endpoint.media === 'json');

  test('returns 400 for If-Match', async () => {
    for (const [transport, call] of own) {
      const attempt = await callToRefuse(fixture, name, endpoint);
      for (const ifMatch of ['*', '"1"', 'no tag']) {
        const { status, problem } = await call({ ...attempt, ifMatch }, name, endpoint);
        expect([transport, status, problem?.errors?.[0]?.path]).toEqual([transport, 400, 'If-Match']);
      }
    }
  });
});

test('a second header If-Match extends the list', async () => {
  const { name, endpoint, type } = updates.find((update) => update.name === 'apps.update')!;
  const { input } = await validCall(fixture, name, endpoint);
  const { etag } = await read(fixture, type, input);
  const request = (second: string) =>
    fetch(`${fixture.world.service.url}/api/apps/${String(input['id'])}`, {
      method: 'PUT',
      headers: [
        ['authorization', `Bearer ${fixture.world.global.token}`],
        ['content-type', 'application/json'],
        ['if-match', '"0"'],
        ['if-match', second],
      ],
      body: '{}',
    });
  expect((await request(etag ?? '')).status).toBe(200);
  expect((await request('"1"')).status).toBe(412);
});
