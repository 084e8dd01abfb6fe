import { setTimeout as pause } from 'node:timers/promises';
import { connect, listDeliverableWebhooks } from '@profile-service/db';
import { createSecret, type SecretBox } from '@profile-service/webhooks';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../src/observability/log.ts';
import { deliverWebhooks } from '../../src/webhooks/deliver-webhooks.ts';
import { organizationOf, useWorldWithMap } from '../support/organizations.ts';
import { answered, insertWebhook } from '../support/webhooks.ts';

const world = useWorldWithMap();

// Rules: SENDING-14
test('the service sends nothing to the webhooks of an inactive tenant', async () => {
  const tenant = await world.tenant();
  const id = await insertWebhook(world, tenant);
  const database = connect({ connectionString: world.databaseUrl });
  onTestFinished(() => database.close());
  for (const active of [false, true]) {
    await world.call(world.global, `PUT /api/tenants/${tenant.id}`, { active });
    const listed = (await listDeliverableWebhooks(database)).webhooks.map((webhook) => webhook.id);
    expect([active, listed.includes(id)]).toEqual([active, active]);
  }
});

/** Starts what sends the events of all webhooks whose secret the box decrypts. @returns how much it has sent, and what ends it */
async function startDeliveries(decrypt: SecretBox['decrypt']) {
  const database = connect({ connectionString: world.databaseUrl, max: 3 });
  onTestFinished(() => database.close());
  const ending = new AbortController();
  let sent = 0;
  const running = deliverWebhooks({
    database,
    secretBox: { decrypt } as SecretBox,
    client: { send: async () => answered((sent += 1) && 200), close: async () => undefined },
    events: { isStopping: false, wait: async ({ after }) => pause(20, { position: after, hasEvents: true }) },
    concurrency: 10,
    log: createLog('silent'),
    onAttempt: () => undefined,
    signal: ending.signal,
  });
  return { database, sent: () => sent, ending, running };
}

// Rules: SENDING-11
test('many webhooks do not wait for connections to the database', async () => {
  const tenant = await world.tenant();
  await Promise.all(Array.from({ length: 31 }, () => insertWebhook(world, tenant)));
  const { database, sent, ending, running } = await startDeliveries(createSecret);
  let waiting = 0;
  database.pool.on('acquire', () => (waiting = Math.max(waiting, database.pool.waitingCount)));
  await organizationOf(world, tenant);
  await expect.poll(sent).toBeGreaterThanOrEqual(31);
  ending.abort();
  await running;
  // Without turns, nearly all of the 31.
  expect(waiting).toBeLessThan(5);
});

test('the first webhook of a deployment starts at once', async () => {
  const tenant = await world.tenant();
  const id = await insertWebhook(world, tenant);
  let looks = 0;
  const { sent, ending, running } = await startDeliveries((sealed) => {
    looks += 1;
    if (sealed.length === 0) throw new Error('encrypted with another key');
    return createSecret();
  });
  await expect.poll(() => looks).toBeGreaterThan(0);
  await world.sql("update webhooks set secret = 'readable' where id = $1", [id]);
  await organizationOf(world, tenant);
  await expect.poll(sent).toBe(1);
  ending.abort();
  await running;
});
