import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook as Verifier } from 'standardwebhooks';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';
import { startReceiver } from './receiver.ts';

const world = useWorldWithMap();

interface Created {
  id: string;
  secret: string;
  disabledAt: string | null;
  disabledReason: string | null;
}
interface Row {
  id: string;
  event_id: string;
  status: string;
  attempts: { responseStatus: number | null; error: string | null }[];
  next_attempt_at: string | null;
}

const rename = (organizationId: string, alias: string) => world.call(world.global, `PUT /api/organizations/${organizationId}`, { alias });
const deliveriesOf = ({ id }: Created) => world.sql<Row>('select * from webhook_deliveries where webhook_id = $1 order by sequence', [id]);
const webhookOf = async ({ id }: Created) => (await world.call<Created>(world.global, `GET /api/webhooks/${id}`)).body;
/** Lets time pass for the deliveries. */
const makeDue = ({ id }: Created) =>
  world.sql('update webhook_deliveries set next_attempt_at = now() where webhook_id = $1 and next_attempt_at is not null', [id]);
const patience = { timeout: 30_000 };

/** A tenant with an organization, and a webhook for it. */
async function setUp(types = ['organization.*']) {
  const tenant = await world.tenant();
  const { id: organizationId } = await organizationOf(world, tenant);
  // A webhook starts with the events that readers do not get yet.
  const events = () => world.call<{ data: unknown[] }>(tenant.service, 'GET /service/events?types=organization.created');
  await expect.poll(async () => (await events()).body.data.length, patience).toBe(1);
  const receiver = await startReceiver();
  const webhook = await world.create<Created>('POST /api/webhooks', { url: receiver.url, types, tenantId: tenant.id });
  const aliases = () => receiver.received.map(({ event }) => event.data['alias']);
  return { tenant, organizationId, receiver, webhook, aliases };
}

// Rules: SENDING-1, SENDING-2, SENDING-3
test('a webhook gets the events after its creation, signed, with the id of the event', async () => {
  const { organizationId, receiver, webhook, tenant } = await setUp();
  await rename(organizationId, 'one');
  await expect.poll(() => receiver.received.map(({ event }) => event.type), patience).toContain('organization.updated');
  const [{ headers, body, event, id } = receiver.received[0]!] = receiver.received.slice(-1);
  expect(new Verifier(webhook.secret).verify(body, headers as Record<string, string>)).toEqual(event);
  expect(() => new Verifier('whsec_AAAA').verify(body, headers as Record<string, string>)).toThrow('No matching signature found');
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': expect.stringMatching(/^profile-service\/\d/) });
  const { body: feed } = await world.call<{ data: { id: string; occurredAt: string }[] }>(
    tenant.service,
    'GET /service/events?types=organization.updated',
  );
  expect(event).toEqual({ ...feed.data[0], timestamp: feed.data[0]?.occurredAt });
  expect(id).toBe(event.id);
  await expect.poll(() => deliveriesOf(webhook)).toMatchObject([{ status: 'DELIVERED', attempts: [{ responseStatus: 204, error: null }] }]);
});

// Rules: SENDING-3
test('a signature has the time of the database, whatever the clock of the instance says', async () => {
  const { now } = Date;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 600_000);
  onTestFinished(() => clock.mockRestore());
  const { organizationId, receiver, webhook } = await setUp();
  await rename(organizationId, 'one');
  await expect.poll(() => receiver.received.length, patience).toBeGreaterThan(0);
  clock.mockRestore();
  const [{ headers, body, event } = receiver.received[0]!] = receiver.received;
  // It accepts a time that differs by up to 5 minutes.
  expect(new Verifier(webhook.secret).verify(body, headers as Record<string, string>)).toEqual(event);
});

describe('deliveries of a record', () => {
  // Rules: SENDING-4, SENDING-5, SENDING-8
  test('come in order: a failed one holds up the later ones, and those of other records are sent', async () => {
    const { tenant, organizationId, receiver, webhook, aliases } = await setUp();
    const other = await organizationOf(world, tenant);
    receiver.answer = ({ event }, response) => void response.writeHead(event.data['alias'] === 'one' ? 500 : 204).end();
    await rename(organizationId, 'one');
    await rename(organizationId, 'two');
    await rename(other.id, 'three');
    await expect.poll(aliases, patience).toContain('three');
    expect(aliases()).not.toContain('two');
    receiver.answer = (_received, response) => void response.writeHead(204).end();
    const retryAt = async () => (await deliveriesOf(webhook)).find(({ status }) => status === 'PENDING')?.next_attempt_at ?? 0;
    const seconds = async () => (new Date(await retryAt()).getTime() - Date.now()) / 1000;
    // The result is stored some time after the answer.
    await expect.poll(seconds).toSatisfy((left: number) => left > 2 && left < 6);
    await expect.poll(aliases, patience).toEqual(expect.arrayContaining(['one', 'two', 'three']));
    const sent = aliases().filter((alias) => alias !== 'three' && alias !== null);
    expect(sent.slice(-2)).toEqual(['one', 'two']);
    await expect.poll(async () => (await deliveriesOf(webhook)).every(({ status }) => status === 'DELIVERED')).toBe(true);
  });

  // Rules: SENDING-7
  test('end at once when the receiver says so', async () => {
    const { organizationId, receiver, webhook, aliases } = await setUp();
    receiver.answer = ({ event }, response) =>
      void response.writeHead(event.data['alias'] === 'bad' ? 400 : 204, { 'webhook-delivery': 'abort-message' }).end();
    await rename(organizationId, 'bad');
    await rename(organizationId, 'good');
    await expect.poll(aliases, patience).toContain('good');
    await expect.poll(async () => (await deliveriesOf(webhook)).map(({ status }) => status).slice(-2)).toEqual(['FAILED', 'DELIVERED']);
  });

  // Rules: SENDING-5, SENDING-6
  test('are FAILED after the last retry, and wait as long as Retry-After says', async () => {
    const { organizationId, receiver, webhook, aliases } = await setUp();
    receiver.answer = (_received, response) => void response.writeHead(503, { 'retry-after': '3000' }).end();
    await rename(organizationId, 'unlucky');
    const pending = async () => (await deliveriesOf(webhook)).at(-1);
    await expect.poll(async () => (await pending())?.attempts.length, patience).toBeGreaterThan(0);
    const waits = (new Date((await pending())?.next_attempt_at ?? 0).getTime() - Date.now()) / 1000;
    expect(waits).toBeGreaterThan(2_900);
    expect(waits).toBeLessThanOrEqual(3_000);
    const attempts = JSON.stringify(Array.from({ length: 11 }, () => ({ responseStatus: 503, error: null })));
    await world.sql('update webhook_deliveries set attempts = $2, next_attempt_at = now() where id = $1', [
      (await pending())?.id,
      attempts,
    ]);
    await expect.poll(async () => (await pending())?.status, patience).toBe('FAILED');
    expect((await pending())?.attempts).toHaveLength(12);
    expect(aliases()).toContain('unlucky');
  });
});

describe('a webhook', () => {
  // Rules: SENDING-9, SENDING-14
  test('whose receiver answers 410 is disabled, keeps its place, and continues when it is enabled', async () => {
    const { organizationId, receiver, webhook, aliases } = await setUp();
    receiver.answer = (_received, response) => void response.writeHead(410).end();
    await rename(organizationId, 'one');
    await expect.poll(() => webhookOf(webhook), patience).toMatchObject({ disabledReason: 'ENDPOINT_GONE' });
    await rename(organizationId, 'two');
    receiver.answer = (_received, response) => void response.writeHead(204).end();
    await pause(1_500);
    expect(aliases()).not.toContain('two');
    await world.call(world.global, `PUT /api/webhooks/${webhook.id}`, { active: true });
    await expect.poll(() => aliases().slice(-2), patience).toEqual(['one', 'two']);
  });

  // Rules: SENDING-10
  test('that had no success for 5 days is disabled, with an event for the other webhooks of its owner', async () => {
    const { tenant, organizationId, receiver, webhook } = await setUp();
    const watcher = await startReceiver();
    await world.create('POST /api/webhooks', { url: watcher.url, types: ['webhook.*'], tenantId: tenant.id });
    receiver.answer = (_received, response) => void response.writeHead(500).end();
    await rename(organizationId, 'one');
    await expect.poll(() => receiver.received.length, patience).toBeGreaterThan(0);
    await expect
      .poll(
        async () =>
          (await world.sql('select from webhook_progress where webhook_id = $1 and failing_since is not null', [webhook.id])).length,
      )
      .toBe(1);
    await world.sql("update webhook_progress set failing_since = now() - interval '5 days 1 second' where webhook_id = $1", [webhook.id]);
    await makeDue(webhook);
    await expect.poll(() => webhookOf(webhook), patience).toMatchObject({ disabledReason: 'FAILING' });
    await expect
      .poll(() => watcher.received.map(({ event }) => [event.type, event.record.id, event.data['disabledReason']]), patience)
      .toContainEqual(['webhook.updated', webhook.id, 'FAILING']);
    expect(JSON.stringify(watcher.received)).not.toContain('whsec_');
  });

  // Rules: SENDING-11
  test('that hangs delays no other webhook', async () => {
    const { tenant, organizationId, receiver } = await setUp();
    receiver.answer = () => undefined;
    const good = await startReceiver();
    await world.create('POST /api/webhooks', { url: good.url, types: ['organization.*'], tenantId: tenant.id });
    await rename(organizationId, 'one');
    await expect.poll(() => receiver.received.length, patience).toBeGreaterThan(0);
    await rename(organizationId, 'two');
    await expect.poll(() => good.received.map(({ event }) => event.data['alias']), patience).toContain('two');
  });

  // Rules: SENDING-11
  test('whose deliveries cannot be stored delays no other webhook, and continues later', async () => {
    const { tenant, organizationId, receiver, webhook } = await setUp();
    const good = await startReceiver();
    await world.create('POST /api/webhooks', { url: good.url, types: ['organization.*'], tenantId: tenant.id });
    // A sequence counts also in transactions that are rolled back.
    await world.sql(`
      create sequence refusals;
      create function refuse() returns trigger language plpgsql as $$ begin perform nextval('refusals'); raise 'refused'; end $$;
      create trigger refuse before insert on webhook_deliveries for each row when (new.webhook_id = '${webhook.id}') execute function refuse()`);
    const refusals = async () =>
      (await world.sql<{ count: number }>('select (case when is_called then last_value else 0 end)::int as count from refusals'))[0]?.count;
    await rename(organizationId, 'one');
    await expect.poll(refusals, patience).toBeGreaterThan(0);
    const runs = () => world.sql("select id from pgboss.job where name = 'webhook-delivery' and state = 'active'");
    const before = await runs();
    await pause(1_500);
    expect(await runs()).toEqual(before);
    await rename(organizationId, 'two');
    await expect.poll(() => good.received.map(({ event }) => event.data['alias']), patience).toContain('two');
    await world.sql('drop trigger refuse on webhook_deliveries');
    await expect
      .poll(() => receiver.received.map(({ event }) => event.data['alias']), patience)
      .toEqual(expect.arrayContaining(['one', 'two']));
  });

  // Rules: SENDING-12
  test('of a tenant gets what the application of the tenant may see at the time of the attempt', async () => {
    const { tenant, organizationId, receiver, webhook } = await setUp(['*']);
    const other = await organizationOf(world, await world.tenant());
    const person = await world.person({ [tenant.id]: 'viewer' });
    await rename(other.id, 'not for this tenant');
    await expect.poll(() => receiver.received.map(({ event }) => event.record.id), patience).toContain(person.id);
    const user = receiver.received.find(({ event }) => event.record.id === person.id);
    expect(Object.keys(user?.event.data ?? {}).toSorted()).toEqual(['email', 'id', 'jobTitle', 'name', 'type']);
    receiver.answer = ({ event }, response) => void response.writeHead(event.data['alias'] === 'last' ? 500 : 204).end();
    await rename(organizationId, 'last');
    await expect.poll(() => receiver.received.map(({ event }) => event.data['alias']), patience).toContain('last');
    await world.call(tenant.service, `DELETE /service/organizations/${organizationId}/tenants`);
    await makeDue(webhook);
    await expect
      .poll(() => world.sql<Row>("select * from webhook_deliveries where webhook_id = $1 and status = 'FAILED'", [webhook.id]), patience)
      .toMatchObject([
        { attempts: [{ responseStatus: 500 }, { error: 'The event is no longer kept, or the webhook may no longer see it' }] },
      ]);
    expect(JSON.stringify(receiver.received)).not.toContain('not for this tenant');
  });

  // Rules: WEBHOOKS-13
  test('signs with both secrets after a rotation', async () => {
    const { organizationId, receiver, webhook } = await setUp();
    const { body } = await world.call<{ secret: string }>(world.global, `POST /api/webhooks/${webhook.id}/secret`, {});
    await rename(organizationId, 'rotated');
    await expect.poll(() => receiver.received.map(({ event }) => event.data['alias']), patience).toContain('rotated');
    const last = receiver.received.at(-1)!;
    for (const secret of [webhook.secret, body.secret])
      expect(new Verifier(secret).verify(last.body, last.headers as Record<string, string>)).toEqual(last.event);
  });

  // Rules: WEBHOOKS-13
  test('signs with one secret when the previous one has expired', async () => {
    const { organizationId, receiver, webhook } = await setUp();
    await world.call(world.global, `POST /api/webhooks/${webhook.id}/secret`, {});
    const countSignatures = async () => {
      await rename(organizationId, randomUUID());
      return String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ').length;
    };
    await expect.poll(countSignatures, patience).toBe(2);
    // The version stays the same, as when time passes.
    await world.sql(`
      begin; set local session_replication_role = replica;
      update webhooks set previous_secret_expires_at = now() where id = '${webhook.id}'; commit`);
    await expect.poll(countSignatures, patience).toBe(1);
  });

  // Rules: SENDING-9
  test('is not disabled by an answer of its former URL', async () => {
    const { organizationId, receiver, webhook } = await setUp();
    let answerGone = () => undefined as unknown;
    receiver.answer = (_received, response) => void (answerGone = () => response.writeHead(410).end());
    await rename(organizationId, 'one');
    await expect.poll(() => receiver.received.length, patience).toBeGreaterThan(0);
    const next = await startReceiver();
    await world.call(world.global, `PUT /api/webhooks/${webhook.id}`, { url: next.url });
    answerGone();
    await expect.poll(() => next.received.map(({ event }) => event.data['alias']), patience).toContain('one');
    expect(await webhookOf(webhook)).toMatchObject({ disabledReason: null });
  });
});

// Rules: SENDING-15
test('a webhook with 10,000 pending deliveries gets further events when some have ended', async () => {
  const { organizationId, webhook, aliases } = await setUp();
  await rename(organizationId, 'first');
  await expect.poll(aliases, patience).toContain('first');
  await world.sql(
    `insert into webhook_deliveries (webhook_id, event_id, event_occurred_at, type, record_type, record_id)
     select $1, gen_random_uuid(), now(), 'user.created', 'user', 'x' from generate_series(1, 10000)`,
    [webhook.id],
  );
  await rename(organizationId, 'second');
  await pause(1_500);
  expect(aliases()).not.toContain('second');
  await world.sql("update webhook_deliveries set status = 'FAILED' where webhook_id = $1 and record_id = 'x'", [webhook.id]);
  await expect.poll(aliases, patience).toContain('second');
});

// Rules: SENDING-13
test('another instance continues when one stops, and loses nothing', async () => {
  const { organizationId, receiver, aliases } = await setUp();
  const second = await world.another();
  await rename(organizationId, 'one');
  await expect.poll(aliases, patience).toContain('one');
  await second.stop();
  const third = await world.another();
  for (let count = 0; count < 5; count += 1) await rename(organizationId, `alias ${count}`);
  await expect.poll(() => new Set(aliases().filter((alias) => String(alias).startsWith('alias'))).size, patience).toBe(5);
  expect(receiver.received.length).toBeGreaterThan(5);
  await third.stop();
});
