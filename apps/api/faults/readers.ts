import { followFeed } from '../events/readers/feed.ts';
import { followStream } from '../events/readers/stream.ts';
import { receiveWebhook } from '../events/readers/webhook.ts';
import { Random } from '../isolation/random.ts';
import { requestOf, sendTo } from '../test/support/call.ts';
import type { Environment } from './environment/environment.ts';

/** Starts readers of all events, which go on during all faults. */
export async function startReaders({ instances: { urls }, people }: Environment) {
  const token = people.global;
  const condition = 'true';
  const random = new Random(Date.now());
  const create = async (url: string) =>
    (await sendTo<{ id: string; secret: string }>(urls[0] ?? '', 'POST /api/webhooks', requestOf({ token }, { url, types: ['*'] }))).body;
  return [
    await receiveWebhook({ name: 'webhook', create, condition }),
    followFeed({ name: 'feed', urls, random, token, path: '/api/events', condition }),
    followStream({ name: 'stream', urls, random, token, path: '/api/events/stream', condition }),
  ];
}
