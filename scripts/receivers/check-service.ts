import { isDeepStrictEqual } from 'node:util';
import { createProfileClient, type ProfileClient } from '@profile-service/client';
import { passwordToken } from '../../examples/keep-a-copy/src/token.ts';
import { eventually } from '../../test/eventually.ts';
import { freePort } from '../../test/free-port.ts';
import { startDemoService } from '../clients/demo-service.ts';
import type { Counter } from './counter.ts';
import type { InstalledReceiver, RunningReceiver } from './install-receiver.ts';

/** Starts the service with a webhook for each receiver, changes an organization before and after a rotation of the secrets, and compares what the receivers print with the events. */
export async function checkService(receivers: readonly InstalledReceiver[], counter: Counter): Promise<void> {
  const service = await startDemoService();
  const started: { name: string; webhookId: string; running: RunningReceiver }[] = [];
  try {
    const token = passwordToken({ url: service.tokenUrl, username: 'gloria@example.com', password: 'demo' });
    const profile = createProfileClient({ url: service.url, token });
    const { nextCursor: cursor } = await profile.events.list.query({ startDate: new Date().toISOString() });
    for (const { name, start } of receivers) {
      const port = await freePort();
      const url = `http://localhost:${port}/webhooks`;
      const { id: webhookId, secret } = await profile.webhooks.create.mutate({ url, types: ['organization.*'] });
      started.push({ name, webhookId, running: await start(secret, port) });
    }
    const [organization] = (await profile.organizations.list.query({ limit: 1 })).data;
    const rename = (alias: string) => profile.organizations.update.mutate({ id: organization?.id ?? '', alias });
    await rename('before');
    // An event that is sent before the rotation has one signature, and one that is sent after it has two.
    for (const { running } of started) await running.lines(1);
    for (const { webhookId } of started) await profile.webhooks.rotateSecret.mutate({ id: webhookId });
    await rename('after');

    const expected = await eventLines(profile, cursor, 2);
    for (const { name, webhookId, running } of started) {
      const lines = await running.lines(expected.length);
      counter.count(isDeepStrictEqual(lines, expected), `${name} prints the events of the service: ${lines.join(', ')}`);
      const statuses = await eventually(() => deliveredStatuses(profile, webhookId, expected.length));
      counter.count(isDeepStrictEqual(statuses, [204, 204]), `its deliveries have one attempt each: ${statuses.join(', ')}`);
    }
  } finally {
    for (const { running } of started) await running.stop();
    await service.stop();
  }
}

/** Returns what a receiver prints for the events after the cursor, when these are at least `count`. */
const eventLines = (profile: ProfileClient, cursor: string, count: number): Promise<string[]> =>
  eventually(async () => {
    const { data } = await profile.events.list.query({ cursor, types: ['organization.*'] });
    if (data.length < count) throw new Error(`The service has ${data.length} events`);
    return data.map(({ id, type }) => `${id} ${type}`);
  });

/** Returns the status of each attempt. Throws if fewer than `count` deliveries are stored as delivered. */
async function deliveredStatuses(profile: ProfileClient, id: string, count: number): Promise<(number | null)[]> {
  const { data } = await profile.webhookDeliveries.list.query({ id, status: 'DELIVERED' });
  if (data.length < count) throw new Error(`${data.length} deliveries are delivered`);
  return data.flatMap(({ attempts }) => attempts.map(({ responseStatus }) => responseStatus));
}
