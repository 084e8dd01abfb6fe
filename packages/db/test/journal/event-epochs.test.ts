import { beforeEach, expect, test } from 'vitest';
import {
  type Database,
  endEarlierTimeline,
  type EventPosition,
  firstPosition,
  maintainAuditPartitions,
  UnknownEventPositionError,
} from '../../src/index.ts';
import { openDatabase } from '../use-database.ts';
import { dataOf, readAllEvents } from './reader.ts';
import { changeJournal, openWriter } from './writer.ts';

let opened: Awaited<ReturnType<typeof openDatabase>>;
let database: Database;
let customer: string;
beforeEach(async () => {
  opened = await openDatabase();
  ({ database } = opened);
  customer = await opened.make.customer();
});

const write = async () => (await openWriter(opened.url)).write(customer);
const read = async (after?: EventPosition, limit = 100) => {
  const { events, position } = await readAllEvents(database.executor, after, limit);
  return { counts: events.map((event) => Number(dataOf(event)['alias'])), position };
};
/** Waits until the reader gets these counters, and returns its position. A transaction of any database of the server delays events. */
async function expectCounts(...counts: number[]) {
  await expect.poll(async () => (await read()).counts).toEqual(counts);
  return (await read()).position;
}
const epochs = async () => (await opened.sql<{ epoch: number }>('select epoch from event_epochs order by 1')).map(({ epoch }) => epoch);

test.each(["timeline = 'FFFFFFFF'", 'system_identifier = system_identifier - 1'])(
  'a restore (%s) starts a higher epoch, and the events of the old one come first',
  async (change) => {
    await write();
    await write();
    const [first = 0] = await epochs();
    expect(await epochs()).toEqual([first]);
    // A restored database has higher transaction ids than the server has given out.
    const later = `update journal set transaction_id = ((pg_current_xact_id()::text)::bigint + 1000000)::text::xid8`;
    await changeJournal(database, `update event_epochs set ${change}; ${later}`);
    await write();
    const [, second = 0] = await epochs();
    expect(second).toBeGreaterThan(first);
    await write();
    expect(await epochs()).toEqual([first, second]);
    await expectCounts(1, 2, 3, 4);
    const old = await read(undefined, 1);
    expect(old).toMatchObject({ counts: [1], position: { epoch: first } });
    expect(await read(old.position)).toMatchObject({ counts: [2, 3, 4], position: { epoch: second } });
  },
);

test('a session keeps its epoch, but not one that was rolled back', async () => {
  expect(await read()).toEqual({ counts: [], position: firstPosition });
  expect(await read(firstPosition)).toEqual({ counts: [], position: firstPosition });
  const writer = await openWriter(opened.url);
  await writer.begin(customer);
  await writer.sql('rollback');
  expect(await epochs()).toEqual([]);
  await writer.write(customer);
  await writer.write(customer);
  expect(await epochs()).toHaveLength(1);
  await expectCounts(1, 2);
});

test('concurrent first writes start one epoch', async () => {
  const customers = await Promise.all(Array.from({ length: 5 }, () => opened.make.customer()));
  await Promise.all(customers.map(async (id) => (await openWriter(opened.url)).write(id)));
  expect(await epochs()).toHaveLength(1);
});

test('a transaction in which a session writes first delays no other one', async () => {
  await write();
  const writer = await openWriter(opened.url);
  await writer.begin(customer);
  const another = await opened.make.customer();
  await (await openWriter(opened.url, { lock_timeout: '1s' })).write(another);
  await writer.sql('commit');
  await expectCounts(1, 2, 1);
});

test('a position that a restored database does not have is rejected, and new events get higher positions and versions', async () => {
  const version = async () => (await opened.sql<{ version: number }>('select version from customers'))[0]?.version ?? 0;
  await write();
  const before = await expectCounts(1);
  await write();
  const undone = await expectCounts(1, 2);
  const versionBefore = await version();
  // The second event is undone, in the same cluster and on the same timeline.
  await changeJournal(database, "delete from journal where state ->> 'alias' = '2'");
  await expect(read(undone)).rejects.toThrow(UnknownEventPositionError);
  await database.pool.query(endEarlierTimeline);
  await write();
  expect(await epochs()).toHaveLength(3);
  await expectCounts(1, 3);
  await expect(read(undone)).rejects.toThrow(UnknownEventPositionError);
  expect((await read(before)).counts).toEqual([3]);
  expect(await version()).toBeGreaterThan(versionBefore + 1_000_000_000);
  expect(await version()).toBeLessThan(Number.MAX_SAFE_INTEGER);
});

/** Writes a row of the journal of that many days ago, with the transaction id 3 for today, and a lower one for every 100 days before. */
async function writeEarlier(days: number): Promise<void> {
  const month = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 7);
  const name = `journal_${month.replace('-', '_')}`;
  await database.pool.query(`
    create table if not exists ${name} partition of journal
      for values from (timestamptz '${month}-01 00:00Z') to (timestamptz '${month}-01 00:00Z' + interval '1 month');
    insert into event_epochs values (1, 0, 'earlier') on conflict do nothing;
    insert into journal (occurred_at, actor_kind, operation, record_type, record_id, state, epoch, transaction_id, sequence)
      values (now() - interval '${days} days', 'SYSTEM', 'test', 'customer', 'x', '{"alias": "${days}"}', 1, '${3 - Math.floor(days / 100)}', nextval('journal_sequence'))`);
}

// Rules: EVENTS-5, EVENTS-16
test('events are kept as long as their partition, and the position of a removed event is rejected', async () => {
  for (const days of [150, 31]) await writeEarlier(days);
  await write();
  await expectCounts(150, 31, 1);
  const { position: removed } = await read(undefined, 1);
  const { position: kept } = await read(removed, 1);
  expect(await maintainAuditPartitions(database, { retentionDays: 100 })).toHaveLength(1);
  await expect(read(removed)).rejects.toThrow(UnknownEventPositionError);
  expect((await read(kept)).counts).toEqual([1]);
  expect((await read()).counts).toEqual([31, 1]);
});
