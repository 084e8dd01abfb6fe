import { randomUUID } from 'node:crypto';
import { acceptsIdempotencyKey, endpoints } from '@profile-service/contracts';
import { describe, expect, test } from 'vitest';
import { validCall } from '../endpoints/calls.ts';
import { useFixture } from '../endpoints/fixture.ts';
import { type Attempt, rest, type Transport, trpc } from '../endpoints/send.ts';
import { fileFor } from '../support/files.ts';

const fixture = useFixture();

const keyed = endpoints.filter(({ endpoint }) => acceptsIdempotencyKey(endpoint));
const others = endpoints.filter(({ endpoint }) => !acceptsIdempotencyKey(endpoint) && endpoint.media === 'json');

const counts = async () =>
  (
    await fixture.world.sql<{ entries: number }>(
      `select (select count(*)::int from audit_entries) as entries, (select count(*) from events) as events,
        (select count(*) from idempotency_keys where status is not null) as keys, (select last_value from record_versions) as version`,
    )
  )[0]!;
const both: [string, Transport][] = [
  ['REST', rest],
  ['tRPC', trpc],
];

describe.each(keyed)('$name', ({ name, endpoint }) => {
  const newCall = async (): Promise<Attempt> => ({
    ...(await validCall(fixture, name, endpoint)),
    idempotencyKey: randomUUID(),
    file: fileFor(endpoint.path),
  });
  const transports = endpoint.media === 'json' ? both : both.slice(0, 1);

  // Rules: IDEMPOTENCY-1, IDEMPOTENCY-4
  test.each(transports)('runs once for each key over %s, and repeats its response', async (_transport, send) => {
    const call = await newCall();
    const first = await send(call, name, endpoint);
    expect(first.problem).toBeUndefined();
    const after = await counts();
    expect(await send(call, name, endpoint)).toEqual(first);
    expect(await counts()).toEqual(after);
  });

  // Rules: IDEMPOTENCY-6
  test('runs once for ten requests at the same time', async () => {
    const call = await newCall();
    const before = await counts();
    const answers = await Promise.all(Array.from({ length: 10 }, () => rest(call, name, endpoint)));
    const codes = new Set(answers.map(({ problem, status }) => problem?.code ?? status));
    expect([...codes].filter((code) => code !== endpoint.success && code !== 'IDEMPOTENCY_KEY_IN_PROGRESS')).toEqual([]);
    const bodies = answers.filter(({ status }) => status === endpoint.success);
    expect(new Set(bodies.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    expect((await counts()).entries - before.entries).toBeLessThanOrEqual(1);
  });

  // Rules: IDEMPOTENCY-7
  test('frees the key of a request that fails', async () => {
    const call = await newCall();
    const [field = ''] = Object.keys(endpoint.body?.shape ?? endpoint.params);
    const failed = await rest({ ...call, input: { ...call.input, [field]: ['not', 'this'] } }, name, endpoint);
    expect(failed.status).toBeGreaterThanOrEqual(400);
    expect((await rest(call, name, endpoint)).status).toBe(endpoint.success);
  });

  // Rules: IDEMPOTENCY-2
  test('rejects a malformed key', async () => {
    const call = await newCall();
    for (const [transport, send] of transports)
      for (const idempotencyKey of ['', 'a b', 'x'.repeat(256), 'a\tb', ...(transport === 'tRPC' ? ['é'] : [])])
        expect((await send({ ...call, idempotencyKey }, name, endpoint)).problem?.code).toBe('VALIDATION_FAILED');
  });
});

describe('a repeated request', () => {
  const create = (key: string, body: unknown, target = 'apps', actor = fixture.world.global) =>
    fixture.world.call<{ id: string }>(actor, `POST /api/${target}`, body, { 'idempotency-key': key });

  // Rules: IDEMPOTENCY-3, IDEMPOTENCY-4, IDEMPOTENCY-8
  test('says that it is repeated, has a request id of its own, and gets the stored response after a deletion, over both transports', async () => {
    const { global, call, client } = fixture.world;
    const [key, name] = [randomUUID(), randomUUID()];
    const first = await create(key, { name });
    await call(global, `DELETE /api/apps/${first.body.id}`);
    const second = await create(key, { name });
    expect(second.bytes.equals(first.bytes)).toBe(true);
    const header = (of: string) => [first.headers.get(of), second.headers.get(of)];
    expect(header('idempotency-replayed')).toEqual([null, 'true']);
    expect(new Set(header('etag')).size).toBe(1);
    expect(new Set(header('x-request-id')).size).toBe(2);
    const { etag: _, ...again } = await client(global).apps.create.mutate({ name, idempotencyKey: key });
    expect(again).toEqual(first.body);
  });

  test('may have the fields in another order, and other whitespace', async () => {
    const [key, federalTaxId] = [randomUUID(), fixture.world.newTaxId()];
    const first = await create(key, `{"name":"Central","federalTaxId":"${federalTaxId}"}`, 'customers');
    const second = await create(key, `{ "federalTaxId": "${federalTaxId}", "name": "Central", "active": true }`, 'customers');
    expect(second.body).toEqual(first.body);
  });

  test('with a key of another caller runs', async () => {
    const [key, other] = [randomUUID(), await fixture.world.person({}, { type: 'Global' })];
    expect((await create(key, { name: randomUUID() })).status).toBe(201);
    expect((await create(key, { name: randomUUID() }, 'apps', other)).status).toBe(201);
  });
});

// Rules: IDEMPOTENCY-1
test.each(others)('$name ignores a key', async ({ name, endpoint }) => {
  const call = { ...(await validCall(fixture, name, endpoint)), idempotencyKey: 'not a key' };
  expect((await rest(call, name, endpoint)).problem).toBeUndefined();
});
