import { randomUUID } from 'node:crypto';
import { endpoints, type NamedEndpoint, recordTypeOf } from '@profile-service/contracts';
import { beforeAll, expect, test } from 'vitest';
import type { Fixture } from '../endpoints/fixture.ts';
import { validCall } from '../endpoints/calls.ts';
import type { Input } from '@profile-service/contracts/examples';
import { useFixture } from '../endpoints/fixture.ts';
import { rest, trpc } from '../endpoints/send.ts';
import { organizationOf } from '../support/organizations.ts';
import { countChanges, entriesOf, eventsOf } from './entries.ts';
import { differences, shownRecord } from './shown-records.ts';

/** What all endpoints record. */
const fixture = useFixture();
let globalId: string;
beforeAll(async () => {
  globalId = String((await fixture.world.call(fixture.world.global, 'GET /api/me/permissions')).body['userId']);
});

/** Samples whose call would change nothing, with an input that changes something. */
const changingInputs: Record<string, (fixture: Fixture) => Promise<Input>> = {
  'service.organizations.link': async ({ world }) => ({ organizationId: (await organizationOf(world)).id }),
  'service.organizations.findByFederalTaxId': async ({ world }) => ({ federalTaxId: (await organizationOf(world)).federalTaxId }),
};

/** The id of the record that a write is about, as far as its input has it. */
async function idBefore({ endpoint: { events, path } }: NamedEndpoint, input: Input): Promise<string | undefined> {
  const [event] = events;
  if (!event || event.endsWith('.created')) return undefined;
  const { userId, organizationId } = input;
  const tenantId = typeof input['tenantId'] === 'string' ? input['tenantId'] : fixture.tenant.id;
  if (typeof userId === 'string') return `${userId}:${tenantId}`;
  if (event.startsWith('organizationLink')) return `${String(organizationId)}:${tenantId}`;
  const [, key = ''] = /\{(\w+)\}/.exec(path) ?? [];
  return String(input[key]);
}

/** The event shows added and removed organizations instead of all. */
const dataOf = (type: string, record: Record<string, unknown> | null) => {
  if (type !== 'organizationScope') return record;
  const { organizationIds: _, ...scope } = record ?? {};
  return { ...scope, added: [], removed: [] };
};

const tenantTypes = ['membership', 'organizationScope', 'organizationLink'];
/** The tenant of an entry. That of a webhook is a field of its record. */
const tenantOf = (type: string, id: string, data: Input | null, active: string | null): unknown =>
  tenantTypes.includes(type) ? (id.split(':')[1] ?? null) : type === 'tenant' ? id : type === 'webhook' ? data?.['tenantId'] : active;
/** Writes that change only what no response shows again. */
const withoutShownChange = ['webhooks.rotateSecret'];
/** Writes that change no record. */
const withoutRecord = [
  'webhooks.test',
  'webhooks.replay',
  'webhookDeliveries.retry',
  'webhookDeliveries.skip',
  'imports.create',
  'imports.cancel',
];

const writes = endpoints.filter(({ endpoint }) => endpoint.events.length > 0);
const calls = writes.flatMap((named) => [
  { ...named, transport: 'REST', send: rest },
  ...(named.endpoint.media === 'json' ? [{ ...named, transport: 'tRPC', send: trpc }] : []),
]);

// Rules: AUDIT-1, AUDIT-3, AUDIT-4, AUDIT-5, WEBHOOKS-14
test.each(calls)('$name over $transport adds one entry and one event, which show the change', async ({ name, endpoint, send }) => {
  const { world, tenant } = fixture;
  const call = await validCall(fixture, name, endpoint);
  const input = await (changingInputs[name]?.(fixture) ?? call.input);
  const known = await idBefore({ name, endpoint }, input);
  const [firstEvent] = endpoint.events;
  const before = known === undefined ? null : await shownRecord(world, recordTypeOf(firstEvent!), known);
  const requestId = randomUUID();
  const counts = await countChanges(world);
  const { status } = await send({ ...call, input, requestId }, name, endpoint);
  expect(status).toBeLessThan(300);
  expect(await countChanges(world)).toEqual({ entries: counts.entries + 1, events: counts.events + 1 });

  const [[entry], [event]] = [await entriesOf(world, requestId), await eventsOf(world, requestId)];
  const type = String(entry?.record.type);
  const id = String(entry?.record.id);
  const after = await shownRecord(world, type, id);
  const changes = differences(before, after);
  const isService = endpoint.access.kind === 'service';
  const data = dataOf(type, after ?? before);
  const common = {
    occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    actor: isService ? { kind: 'APPLICATION', id: tenant.id } : { kind: 'USER', id: globalId },
    requestId,
    tenantId: tenantOf(type, id, data, isService ? tenant.id : null),
    record: { type, id: known ?? id },
  };
  expect(entry).toMatchObject({ ...common, outcome: 'COMMITTED', code: null, operation: name, changes });
  expect(event).toEqual({
    ...common,
    id: expect.any(String),
    type: expect.toSatisfy((emitted) => (endpoint.events as readonly unknown[]).includes(emitted) && String(emitted).startsWith(type)),
    occurredAt: entry?.occurredAt,
    organizationId: entry?.organizationId,
    changed: changes.map(({ field }) => field).toSorted(),
    data,
  });
  const organizationId = type === 'organization' ? id : (data?.['organizationId'] ?? null);
  expect(entry?.organizationId).toBe(organizationId);
  expect(changes.length === 0).toBe(withoutShownChange.includes(name));
});

// Rules: AUDIT-2, DELIVERIES-9
test.each(endpoints.filter(({ endpoint }) => endpoint.events.length === 0 && endpoint.media !== 'export'))(
  '$name, without events, adds neither',
  async ({ name, endpoint }) => {
    expect(endpoint.method === 'GET' || withoutRecord.includes(name)).toBe(true);
    const call = await validCall(fixture, name, endpoint);
    const counts = await countChanges(fixture.world);
    expect((await rest(call, name, endpoint)).status).toBe(endpoint.success);
    expect(await countChanges(fixture.world)).toEqual(counts);
  },
);

// Rules: AUDIT-2
test.each(writes.filter(({ endpoint, name }) => endpoint.method === 'PUT' && name !== 'organizationScopes.set'))(
  '$name with an empty body, or with the values that the record has, adds neither',
  async ({ name, endpoint }) => {
    const call = await validCall(fixture, name, endpoint);
    const key = Object.fromEntries(Object.keys(endpoint.params).map((field) => [field, call.input[field]]));
    const first = await rest({ ...call, input: key }, name, endpoint);
    const counts = await countChanges(fixture.world);
    for (const input of [{ ...(first.data as Input), ...key }, key]) expect(await rest({ ...call, input }, name, endpoint)).toEqual(first);
    expect(await countChanges(fixture.world)).toEqual(counts);
  },
);

// Rules: AUDIT-2
test.each([
  'memberships.assign',
  'memberships.remove',
  'organizationScopes.set',
  'service.organizations.link',
  'service.organizations.unlink',
  'service.organizations.findByFederalTaxId',
])('%s adds neither when it is repeated', async (name) => {
  const { endpoint } = writes.find((each) => each.name === name)!;
  const call = await validCall(fixture, name, endpoint);
  await rest(call, name, endpoint);
  const counts = await countChanges(fixture.world);
  expect((await rest(call, name, endpoint)).status).toBe(endpoint.success);
  expect(await countChanges(fixture.world)).toEqual(counts);
});
