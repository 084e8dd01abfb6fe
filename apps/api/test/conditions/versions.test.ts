import { endpoints } from '@profile-service/contracts';
import { describe, expect, test } from 'vitest';
import { validCall } from '../endpoints/calls.ts';
import { useFixture } from '../endpoints/fixture.ts';
import type { Input } from '@profile-service/contracts/examples';
import { change, changesOf, keyOf, newRecord, overEachTransport, read, removals, send, tagged, updates, versionOf } from './versioned.ts';

const fixture = useFixture();

describe.each(updates)('$name', (update) => {
  const { type } = update;

  test('raises the version with each field that it changes', async () => {
    const { key, etag } = await newRecord(fixture, update);
    const versions = [versionOf({ etag })];
    for (const input of await changesOf(fixture, type)) {
      const changed = await send(fixture, update, { input: { ...input, ...key } });
      expect([input, changed.status]).toEqual([input, update.endpoint.success]);
      versions.push(versionOf(changed));
    }
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
    expect(versionOf(await read(fixture, type, key))).toBe(versions.at(-1));
  });

  test('changes neither the version nor updatedAt with equal values', async () => {
    const { key } = await newRecord(fixture, update);
    const changed = await change(fixture, type, key);
    const before = await read(fixture, type, key);
    const values = { ...((changed.data ?? before.data) as object), ...key };
    expect(await send(fixture, update, { input: values })).toEqual(changed);
    expect(await read(fixture, type, key)).toEqual(before);
  });
});

test.each(overEachTransport(tagged).filter(({ transport, endpoint }) => transport === 'REST' || endpoint.output !== null))(
  '$name returns the current version of the record over $transport',
  async ({ name, endpoint, type, call }) => {
    const attempt = await validCall(fixture, name, endpoint);
    const { data, etag } = await call(attempt, name, endpoint);
    expect(etag).toMatch(/^"\d+"$/);
    const following = await read(fixture, type, { ...attempt.input, ...(data as Input | undefined) });
    expect(following.etag).toBe(etag);
  },
);

/** The POSTs whose client chooses the key of the record. */
const creations = tagged.filter(({ endpoint, type }) => {
  const key = Object.keys(endpoints.find((named) => named.endpoint.versioned === type && named.endpoint.method === 'GET')!.endpoint.params);
  return endpoint.method === 'POST' && key.every((field) => field in (endpoint.body?.shape ?? {}));
});

test.each(creations)('$name uses no version of a deleted record with the same key', async (creation) => {
  const removal = removals.find(({ type }) => type === creation.type)!;
  const { input } = await validCall(fixture, creation.name, creation.endpoint);
  const versions: number[] = [];
  for (let round = 1; round <= 3; round += 1) {
    versions.push(versionOf(await send(fixture, creation, { input })));
    const key = keyOf(creation.type, input);
    versions.push(versionOf(await change(fixture, creation.type, key)));
    expect((await send(fixture, removal, { input: key })).status).toBe(204);
  }
  expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
});
