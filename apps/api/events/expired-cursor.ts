import { createProfileClient } from '@profile-service/client';
import { send } from '../faults/load/request.ts';
import type { Environment } from './environment.ts';

/** Removes the last event from the journal, as a restore to an earlier time does. Returns which readers that had got it do not learn of it. */
export async function checkExpiredCursor({ sql, instances, people }: Pick<Environment, 'sql' | 'instances' | 'people'>): Promise<string[]> {
  const [url = ''] = instances.urls;
  const token = people.global.token ?? '';
  const get = (path: string) => send(url, { method: 'GET', path, token });
  const { body } = await get('/api/events?startDate=9999-01-01');
  const { nextCursor: cursor } = JSON.parse(body.toString()) as { nextCursor: string };
  await sql(`
    set session_replication_role = replica;
    delete from journal where id = (select id from events order by epoch desc, transaction_id desc, sequence desc limit 1);
    reset session_replication_role`);
  const follow = async () => {
    for await (const event of createProfileClient({ url, token }).events.follow({ cursor })) return `event ${event.id}`;
    return 'the end';
  };
  const outcomes = {
    feed: (await get(`/api/events?cursor=${cursor}`)).outcome,
    stream: (await get(`/api/events/stream?cursor=${cursor}`)).outcome,
    follow: await follow().catch(({ status, code }: { status: number; code: string }) => `${status} ${code}`),
  };
  return Object.entries(outcomes)
    .filter(([, outcome]) => outcome !== '410 EVENT_CURSOR_EXPIRED')
    .map(([reader, outcome]) => `${reader}: ${outcome} after its last event was undone`);
}
