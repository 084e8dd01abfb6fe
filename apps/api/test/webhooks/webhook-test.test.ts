import { randomBytes, randomUUID } from 'node:crypto';
import { SecretBox } from '@profile-service/webhooks';
import { Webhook as Verifier } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { recordLog } from '../support/recorded-log.ts';
import { useTenant } from '../support/use-people.ts';
import { useWorld } from '../support/world.ts';
import { startReceiver } from './receiver.ts';

/** The test of a webhook. */
const world = useWorld();
const tenant = useTenant(world);

interface Webhook {
  id: string;
  secret: string;
}
const call = <Body>(target: string, headers: Record<string, string> = {}) => world.call<Body>(world.global, target, undefined, headers);
const newWebhook = (url = 'https://hooks.example.com/profile') =>
  world.create<Webhook>('POST /api/webhooks', { url, types: ['*'], active: false, tenantId: tenant.id });

interface TestAttempt {
  at: string;
  durationMs: number;
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
}

const send = (id: string, headers?: Record<string, string>) => call<TestAttempt>(`POST /api/webhooks/${id}/test`, headers);

// Rules: DELIVERIES-8
test('a test sends one signed event to an inactive webhook, returns the attempt, and leaves no delivery', async () => {
  const receiver = await startReceiver();
  receiver.answer = (_received, response) => void response.writeHead(500).end('not today');
  const { id, secret: first } = await newWebhook(receiver.url);
  const { status, body } = await send(id);
  expect([status, body]).toEqual([
    200,
    { at: expect.any(String), durationMs: expect.any(Number), responseStatus: 500, responseBody: 'not today', error: null },
  ]);
  const [request] = receiver.received;
  expect(request).toMatchObject({ id: request?.event.id, headers: { 'user-agent': expect.stringMatching(/^profile-service\/\d/) } });
  expect(request?.event).toMatchObject({
    type: 'webhook.test',
    timestamp: body.at,
    tenantId: tenant.id,
    record: { type: 'webhook', id },
    data: {},
  });
  const verify = (secret: string) => {
    const { body: text, headers } = receiver.received.at(-1)!;
    return new Verifier(secret).verify(text, headers as Record<string, string>);
  };
  expect(verify(first)).toEqual(request?.event);

  // After a rotation both secrets sign, until the previous one has expired.
  const { secret: second } = (await call<Webhook>(`POST /api/webhooks/${id}/secret`)).body;
  await send(id);
  for (const secret of [first, second]) expect(verify(secret)).toMatchObject({ type: 'webhook.test' });
  await world.sql(`update webhooks set previous_secret_expires_at = now() where id = $1`, [id]);
  await send(id);
  expect(verify(second)).toMatchObject({ type: 'webhook.test' });
  expect(() => verify(first)).toThrow('No matching signature found');
  expect(receiver.received).toHaveLength(3);
  expect((await call<{ data: unknown[] }>(`GET /api/webhooks/${id}/deliveries`)).body.data).toEqual([]);
});

test('a test with an Idempotency-Key is sent once', async () => {
  const receiver = await startReceiver();
  const { id } = await newWebhook(receiver.url);
  const key = { 'idempotency-key': randomUUID() };
  const first = await send(id, key);
  expect(first.body.responseStatus).toBe(204);
  expect((await send(id, key)).body).toEqual(first.body);
  expect(receiver.received).toHaveLength(1);
});

// Rules: WEBHOOKS-15
test('a test counts among the 20 checks of a tenant at once', async () => {
  const receiver = await startReceiver();
  receiver.answer = () => undefined;
  const limited = await world.another({ WEBHOOK_TIMEOUT_SECONDS: '5' }, { tenantLimits: { waitMs: 500 } });
  const { id } = await newWebhook(receiver.url);
  const sent = Array.from({ length: 21 }, () => limited.call(world.global, `POST /api/webhooks/${id}/test`));
  expect(await Promise.race(sent)).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  expect((await Promise.all(sent)).filter(({ status }) => status === 200)).toHaveLength(20);
  expect(receiver.received).toHaveLength(20);
});

// Rules: DELIVERIES-10
test('a test is 503 if the secret was encrypted with another key, and the log says why', async () => {
  const { log, text } = recordLog();
  const instance = await world.another({}, { log });
  const { id, secret } = await newWebhook();
  await world.sql('update webhooks set secret = $2 where id = $1', [id, new SecretBox(randomBytes(32)).encrypt(secret)]);
  expect((await instance.call(world.global, `POST /api/webhooks/${id}/test`)).code).toBe('SERVICE_UNAVAILABLE');
  expect(text()).toContain('The secret of a webhook cannot be decrypted');
});
