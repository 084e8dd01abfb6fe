import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import {
  connect,
  type Database,
  endEarlierTimeline,
  maintainAuditPartitions,
  readEvents,
  UnknownEventPositionError,
} from '../../src/index.ts';
import { records } from '../records.ts';
import { changeJournal, Writer } from './writer.ts';

let url: string;
let database: Database;
let make: ReturnType<typeof records>;
let customer: string;
beforeEach(async () => {
  url = await createTestDatabase();
  const opened = connect({ connectionString: url });
  onTestFinished(() => opened.close());
  database = opened;
  make = records(database.db);
  customer = await make.customer();
});

const write = async () => (await Writer.open(url)).write(customer);
const read = async (after: Awaited<ReturnType<typeof readEvents>>['position'], limit = 100) => {
  const { events, position } = await readEvents(database.executor, { after, limit, retentionDays: 30 });
  return { counts: events.map(({ data }) => Number(data['alias'])), position };
};
/** Waits until the reader gets these counters. A transaction of any database of the server delays events. */
const expectCounts = (...counts: number[]) => expect.poll(async () => (await read(null)).counts).toEqual(counts);
const epochs = async () =>
  (await database.pool.query<{ epoch: number }>('select epoch from event_epochs order by 1')).rows.map(({ epoch }) => epoch);
/** Makes the database look as if it had been restored: with higher transaction ids than the server has given out. */
const restore = (change: string) =>
  changeJournal(
    database,
    `
    update event_epochs set ${change};
    update journal set transaction_id = ((pg_current_xact_id()::text)::bigint + 1000000)::text::xid8`,
  );

test('without a write there is no epoch and no event', async () => {
  expect(await read(null)).toEqual({ counts: [], position: null });
  expect(await epochs()).toEqual([]);
});

test.each(["timeline = 'FFFFFFFF'", 'system_identifier = system_identifier - 1'])(
  'a restore (%s) starts a higher epoch, and the events of the old one come first',
  async (change) => {
    await write();
    await write();
    const [first = 0] = await epochs();
    expect(await epochs()).toEqual([first]);
    await restore(change);
    await write();
    const [, second = 0] = await epochs();
    expect(second).toBeGreaterThan(first);
    await write();
    expect(await epochs()).toEqual([first, second]);
    await expectCounts(1, 2, 3, 4);
    const old = await read(null, 1);
    expect(old).toMatchObject({ counts: [1], position: { epoch: first } });
    expect(await read(old.position)).toMatchObject({ counts: [2, 3, 4], position: { epoch: second } });
  },
);

test('a session keeps its epoch, but not one that was rolled back', async () => {
  const writer = await Writer.open(url);
  await writer.sql('begin');
  await writer.count(customer);
  await writer.record(customer);
  await writer.rollback();
  expect(await epochs()).toEqual([]);
  await writer.write(customer);
  expect(await epochs()).toHaveLength(1);
  await writer.write(customer);
  await expectCounts(1, 2);
});

test('concurrent first writes start one epoch', async () => {
  const customers = await Promise.all(Array.from({ length: 5 }, () => make.customer()));
  await Promise.all(customers.map(async (id) => (await Writer.open(url)).write(id)));
  expect(await epochs()).toHaveLength(1);
});

test('a position of an unknown epoch is rejected: the database was restored to an earlier time', async () => {
  await write();
  await expectCounts(1);
  const { position } = await read(null);
  await database.pool.query('update event_epochs set epoch = epoch - 1');
  await expect(read(position)).rejects.toThrow(UnknownEventPositionError);
});

test('a position after the last event of a restored database is rejected, and the events of the new epoch get higher positions', async () => {
  await write();
  await expectCounts(1);
  const { position: before } = await read(null);
  await write();
  await expectCounts(1, 2);
  const { position: undone } = await read(null);
  // The second event is undone, in the same cluster and on the same timeline.
  await changeJournal(database, "delete from journal where state ->> 'alias' = '2'");
  await expect(read(undone)).rejects.toThrow(UnknownEventPositionError);
  await database.pool.query(endEarlierTimeline);
  await write();
  expect(await epochs()).toHaveLength(3);
  await expectCounts(1, 3);
  await expect(read(undone)).rejects.toThrow(UnknownEventPositionError);
  expect((await read(before)).counts).toEqual([3]);
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

test('events older than the retention time are not delivered, whatever the position of the reader', async () => {
  for (const days of [150, 31, 29, 1]) await writeEarlier(days);
  await write();
  await expectCounts(29, 1, 1);
  const start = { epoch: 1, transactionId: '2', sequence: 1 };
  expect((await read(start)).counts).toEqual([29, 1, 1]);
  expect((await read(null, 1)).counts).toEqual([29]);
});

test('a position whose event was removed stays valid', async () => {
  await writeEarlier(150);
  await write();
  await expectCounts(1);
  expect(await maintainAuditPartitions(database, { retentionDays: 100 })).toHaveLength(1);
  expect((await read({ epoch: 1, transactionId: '2', sequence: 1 })).counts).toEqual([1]);
});

test('the end of an earlier timeline raises the versions of records', async () => {
  const version = async () => (await database.pool.query<{ version: number }>('select version from customers')).rows[0]?.version ?? 0;
  await write();
  const before = await version();
  await database.pool.query(endEarlierTimeline);
  await write();
  expect(await version()).toBeGreaterThan(before + 1_000_000_000);
  expect(await version()).toBeLessThan(Number.MAX_SAFE_INTEGER);
});
