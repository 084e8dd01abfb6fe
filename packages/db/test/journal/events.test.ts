import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import type { BoundStatement } from '../../src/connection/executor.ts';
import { type EventPosition, type EventRow, type Executor, newId, recordWrite } from '../../src/index.ts';
import { useDatabase } from '../use-database.ts';
import { dataOf, readAllEvents } from './reader.ts';
import { changeJournal, lockWait, openWriter } from './writer.ts';

const { url, database, make, sql } = await useDatabase();
let customer: string;
let other: string;
beforeEach(async () => {
  await changeJournal(database, 'truncate journal');
  [customer, other] = [await make.customer(), await make.customer()];
});

const counterOf = (event: EventRow): [id: string, counter: number] => [event.recordId, Number(dataOf(event)['alias'])];

/**
 * A reader that continues at its last position. Each call reads once and returns the counters of all events so far. Tests poll it: a transaction of any
 * database of the server delays events.
 */
function reader() {
  let position: EventPosition | undefined;
  const counters: (readonly [id: string, counter: number])[] = [];
  return async () => {
    const read = await readAllEvents(database.executor, position);
    position = read.position;
    counters.push(...read.events.map(counterOf));
    return counters;
  };
}

/** Opens connections that have their epoch: the first write of a session waits for the first writes of others. */
async function openWriters() {
  const open = async () => {
    const writer = await openWriter(url);
    await writer.sql('select current_event_epoch()');
    return writer;
  };
  return [await open(), await open(), await open()] as const;
}

describe('an event', () => {
  test('has the actor, the record as its GET shows it, and the changed fields', async () => {
    const [actor, tenantId] = [{ kind: 'USER' as const, id: newId() }, newId()];
    const events = ['customer.updated' as const];
    await database.transaction(async (executor) => {
      executor.beforeCommit(() => [
        recordWrite({ operation: 'customers.update', actor, requestId: 'r-1', tenantId, events, recordId: customer }),
      ]);
      await executor.query("update customers set name = 'New', alias = 'n' where id = $1", [customer]);
    });
    const readAfter = (after?: EventPosition) => readAllEvents(database.executor, after);
    await expect.poll(async () => (await readAfter()).events.length).toBe(1);
    const read = await readAfter();
    expect(read.events).toMatchObject([
      {
        type: 'customer.updated',
        occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        actorKind: 'USER',
        actorId: actor.id,
        requestId: 'r-1',
        tenantId,
        organizationId: null,
        recordType: 'customer',
        recordId: customer,
        changed: ['alias', 'name'],
      },
    ]);
    expect(read.events.map(dataOf)).toMatchObject([{ id: customer, name: 'New', alias: 'n', logoPath: null, active: true }]);
    expect(await readAfter(read.position)).toEqual({ events: [], position: read.position, hasMore: false });
  });

  test.each(['commit', 'rollback'])('is delivered when all older transactions have ended, and never skipped (%s)', async (end) => {
    const [slow, fast] = await openWriters();
    const delivered = reader();
    await slow.begin(customer);
    await fast.write(other);
    expect(await delivered()).toEqual([]);
    await slow.sql(end);
    const expected = [...(end === 'commit' ? [[customer, 1]] : []), [other, 1]];
    await expect.poll(delivered).toEqual(expected);
    expect(await delivered()).toEqual(expected);
  });

  test('comes after the earlier events of its record, also if its transaction has the older id', async () => {
    const [old, young, observer] = await openWriters();
    const delivered = reader();
    await old.beginWithId();
    await young.write(customer);
    await young.sql('begin');
    await young.count(customer);
    const waiting = old.count(customer);
    await lockWait(observer);
    await young.record(customer);
    await young.sql('commit');
    await waiting;
    expect(await delivered()).toEqual([]);
    await old.record(customer);
    await old.sql('commit');
    await young.write(customer);
    await expect.poll(delivered).toEqual([1, 2, 3, 4].map((count) => [customer, count]));
  });
});

test('a reader gets each event once and in the order of its record, while transactions wait, take long and fail', async () => {
  const customers = await Promise.all(Array.from({ length: 5 }, () => make.customer()));
  const [long] = await openWriters();
  await long.begin(other);
  let committed = 0;
  const ids: string[] = [];
  const counts: Record<string, number[]> = {};
  async function pollUntil(isComplete: () => boolean) {
    for (let position: EventPosition | undefined; !isComplete();) {
      const read = await readAllEvents(database.executor, position, 7);
      position = read.position;
      for (const event of read.events) {
        const [id, count] = counterOf(event);
        ids.push(event.id);
        (counts[id] ??= []).push(count);
      }
    }
  }
  async function write(place: number) {
    const writer = await openWriter(url);
    for (let turn = 0; turn < 40; turn += 1) {
      const customerId = customers[(place * 7 + turn * 3) % 5] as string;
      await writer.beginWithId();
      await pause(Math.random() * 5);
      await writer.count(customerId);
      await writer.record(customerId);
      await pause(Math.random() * 3);
      const fails = Math.random() < 0.2;
      await writer.sql(fails ? 'rollback' : 'commit');
      committed += fails ? 0 : 1;
    }
  }
  let areDone = false;
  const polling = pollUntil(() => areDone && ids.length > committed);
  await Promise.all([...[0, 1, 2, 3, 4, 5].map(write), pause(300).then(() => long.sql('commit'))]);
  areDone = true;
  await polling;
  const counters = 'select id, alias::int as count from customers where id = any($1::uuid[])';
  const written = await sql<{ id: string; count: number }>(counters, [[...customers, other]]);
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  expect(counts).toEqual(Object.fromEntries(written.map(({ id, count }) => [id, upTo(count)])));
  expect(new Set(ids).size).toBe(committed + 1);
});

test('a read is a range of the index of positions, and does not write', async () => {
  const [observer] = await openWriters();
  const statements: BoundStatement[] = [];
  const executor: Executor = {
    run(statement) {
      statements.push(statement);
      return database.executor.run(statement);
    },
  };
  await readAllEvents(executor);
  const [{ text, planner, values }] = statements as [BoundStatement];
  await observer.sql(`begin; ${planner}; prepare read as ${text}`);
  const literals = values.map((value) => (value === undefined ? 'null' : pg.escapeLiteral(JSON.stringify(value).replaceAll('"', ''))));
  const plan = await observer.sql<{ 'QUERY PLAN': string }>(`explain (costs off) execute read (${literals.join()})`);
  const lines = plan.map((row) => row['QUERY PLAN']);
  const ranges = lines.filter((line) => /Index Cond: .*ROW\(.*epoch, .*transaction_id, .*sequence\) > /.test(line));
  expect(ranges.filter((line) => / AND .*ROW\(.*epoch, .*transaction_id\) < /.test(line)).length).toBeGreaterThan(0);
  // Each scan ends at a limit: an upper bound would not end it.
  expect(ranges.filter((line) => line.includes('<=')).length).toBe(0);
  expect(lines.join('\n')).not.toMatch(/Seq Scan on journal/);
  const id = await database.transaction(async (transaction) => {
    await readAllEvents(transaction);
    return transaction.query('select pg_current_xact_id_if_assigned() as id');
  });
  expect(id.rows).toEqual([{ id: null }]);
});
