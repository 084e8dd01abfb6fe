import { randomUUID } from 'node:crypto';
import { acceptsIdempotencyKey, endpoints, returnsVersion } from '@profile-service/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { validCall } from '../endpoints/calls.ts';
import type { Fixture } from '../endpoints/fixture-types.ts';
import { startFixture } from '../endpoints/fixture.ts';
import { type Attempt, rest, type Transport, trpc } from '../endpoints/send.ts';
import { pdf } from '../support/files.ts';

let fixture: Fixture;
beforeAll(async () => (fixture = await startFixture()));
afterAll(() => fixture.world.stop());

const keyed = endpoints.filter(({ endpoint }) => acceptsIdempotencyKey(endpoint));
const others = endpoints.filter(({ endpoint }) => !acceptsIdempotencyKey(endpoint));
const counts = () =>
  fixture.world.sql<Record<string, number>>(
    `select (select count(*) from audit_entries)::int as entries, (select count(*) from events)::int as events,
      (select count(*) from idempotency_keys where status is not null)::int as keys`,
  );

describe.each(keyed)('$name', ({ name, endpoint }) => {
  const call = async (): Promise<Attempt> => ({
    ...(await validCall(fixture, name, endpoint)),
    idempotencyKey: randomUUID(),
    file: pdf(),
  });
  const transports: [string, Transport][] = endpoint.media === 'json' ? [['REST', rest], ['tRPC', trpc]] : [['REST', rest]];

  test.each(transports)('runs once for each key over %s, and repeats its response', async (_transport, send) => {
    const attempt = await call();
    const first = await send(attempt, name, endpoint);
    expect(first.problem).toBeUndefined();
    const before = await counts();
    expect(await send(attempt, name, endpoint)).toEqual(first);
    expect(await counts()).toEqual(before);
  });

  test('says over REST that the response is repeated', async () => {
    const attempt = await call();
    const first = await rest(attempt, name, endpoint);
    expect(first.replayed).toBeNull();
    expect(await rest(attempt, name, endpoint)).toEqual({ ...first, replayed: 'true' });
    expect(first.status).toBe(endpoint.success);
    expect(first.etag !== null).toBe(returnsVersion(endpoint));
  });
});
