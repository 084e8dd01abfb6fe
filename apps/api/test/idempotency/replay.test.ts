import { randomUUID } from 'node:crypto';
import { acceptsIdempotencyKey, endpoints } from '@profile-service/contracts';
import { describe, expect, test } from 'vitest';
import { validCall } from '../endpoints/calls.ts';
import { useFixture } from '../endpoints/fixture.ts';
import { type Attempt, rest, type Transport, trpc } from '../endpoints/send.ts';
import { createApi } from '../support/api.ts';
import { pdf } from '../support/files.ts';

const fixture = useFixture();

const keyed = endpoints.filter(({ endpoint }) => acceptsIdempotencyKey(endpoint));
const others = endpoints.filter(({ endpoint }) => !acceptsIdempotencyKey(endpoint) && endpoint.media === 'json');

const counts = () =>
  fixture.world.sql(
    `select (select count(*) from audit_entries) as entries, (select count(*) from events) as events,
      (select count(*) from idempotency_keys where status is not null) as keys, (select last_value from record_versions) as version`,
  );
const both: [string, Transport][] = [
  ['REST', rest],
  ['tRPC', trpc],
];

describe.each(keyed)('$name', ({ name, endpoint }) => {
  const newCall = async (): Promise<Attempt> => ({
    ...(await validCall(fixture, name, endpoint)),
    idempotencyKey: randomUUID(),
    file: pdf(),
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
    const [{ entries: entriesBefore }] = before as [{ entries: string }];
    const [{ entries }] = (await counts()) as [{ entries: string }];
    expect(Number(entries) - Number(entriesBefore)).toBeLessThanOrEqual(1);
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
    for (const idempotencyKey of ['', 'a b', 'é', 'x'.repeat(256), 'a\tb']) {
      const answers = await Promise.all(
        transports
          .filter(([transport]) => transport === 'tRPC' || !/[^\t\u0020-\u00ff]/.test(idempotencyKey))
          .map(([, send]) => send({ ...call, idempotencyKey }, name, endpoint)),
      );
      expect(answers.map(({ problem }) => problem?.code)).toEqual(answers.map(() => 'VALIDATION_FAILED'));
    }
  });
});

describe('a repeated request', () => {
  const create = (key: string, body: unknown, actor = fixture.world.global) =>
    createApi(fixture.world.service.url).call<{ id: string }>(actor, 'POST /api/apps', body, { 'idempotency-key': key });

  // Rules: IDEMPOTENCY-4
  test('has a request id of its own, and says that it is repeated', async () => {
    const [key, body] = [randomUUID(), { name: randomUUID() }];
    const first = await create(key, body);
    const second = await create(key, body);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(second.bytes.equals(first.bytes)).toBe(true);
  });

  // Rules: IDEMPOTENCY-8
  test('gets the stored response after the record was deleted', async () => {
    const [key, body] = [randomUUID(), { name: randomUUID() }];
    const first = await create(key, body);
    await fixture.world.call(fixture.world.global, `DELETE /api/apps/${first.body.id}`);
    expect((await create(key, body)).body).toEqual(first.body);
  });

  test('may have the fields in another order, and other whitespace', async () => {
    const [key, federalTaxId] = [randomUUID(), fixture.world.newTaxId()];
    const send = (text: string) =>
      fixture.world.call<{ id: string }>(fixture.world.global, 'POST /api/customers', text, { 'idempotency-key': key });
    const first = await send(`{"name":"Central","federalTaxId":"${federalTaxId}"}`);
    expect((await send(`{ "federalTaxId": "${federalTaxId}", "name": "Central", "active": true }`)).body).toEqual(first.body);
  });

  // Rules: IDEMPOTENCY-3
  test('is the same over REST and tRPC', async () => {
    const [idempotencyKey, name] = [randomUUID(), randomUUID()];
    const { body } = await create(idempotencyKey, { name });
    const { etag: _, ...again } = await fixture.world.client(fixture.world.global).apps.create.mutate({ name, idempotencyKey });
    expect(again).toEqual(body);
  });

  test('with a key of another caller runs', async () => {
    const other = await fixture.world.person({}, { type: 'Global' });
    const key = randomUUID();
    const first = await create(key, { name: randomUUID() });
    const second = await create(key, { name: randomUUID() }, other);
    expect([first.status, second.status]).toEqual([201, 201]);
  });
});

// Rules: IDEMPOTENCY-1
test.each(others)('$name ignores a key', async ({ name, endpoint }) => {
  const call = { ...(await validCall(fixture, name, endpoint)), idempotencyKey: 'not a key' };
  expect((await rest(call, name, endpoint)).problem).toBeUndefined();
});
