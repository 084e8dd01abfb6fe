import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { connect, type Database, type DatabaseObserver } from '../../src/index.ts';
import { abortable } from './abortable.ts';
import { bound } from './bound.ts';

let database: Database;
/** What the observer was told, in order. */
let seen: string[] = [];
const observer: DatabaseObserver = {
  statement: (text) => () => {
    seen.push(`start ${text}`);
    return (error) => seen.push(error ? `fail ${text}: ${String((error as { code?: string }).code)}` : `end ${text}`);
  },
  connected: () => seen.push('connected'),
};

beforeAll(async () => {
  database = connect({ connectionString: await createTestDatabase(), observer });
});
afterAll(() => database.close());
beforeEach(() => (seen = []));

const failing = 'select 1 / 0';

test('a statement is observed from its start to its end, after a connection was acquired', async () => {
  await database.executor.run(bound('select 1'));
  expect(seen).toEqual(['connected', 'start select 1', 'end select 1']);
});

test('the statements of a transaction that travel together after a failed one have no end', async () => {
  const failed = database.transaction((transaction) =>
    Promise.all(['select 1', failing, 'select 2'].map((text) => transaction.run(bound(text)))),
  );
  await expect(failed).rejects.toThrow('division by zero');
  const starts = ['begin', 'select 1', failing, 'select 2', 'rollback'].map((text) => `start ${text}`);
  expect(seen.filter((line) => line.startsWith('start'))).toEqual(starts);
  const ends = ['connected', 'end begin', 'end select 1', `fail ${failing}: 22012`, 'end rollback'];
  expect(seen.filter((line) => !line.startsWith('start'))).toEqual(ends);
});

test('the statements of a transaction are observed, also BEGIN, COMMIT and plain SQL', async () => {
  await database.transaction(async (transaction) => {
    await transaction.run(bound('select 1'));
    await transaction.query('select 2');
  });
  const texts = ['begin', 'select 1', 'select 2', 'commit'];
  expect(seen.filter((line) => line.startsWith('end')).toSorted()).toEqual(texts.map((text) => `end ${text}`).toSorted());
});

test('the statements of Kysely are observed, and its errors too', async () => {
  await sql`select 1`.execute(database.db);
  await expect(sql.raw(failing).execute(database.db)).rejects.toThrow('division by zero');
  expect(seen).toEqual(['start select 1', 'end select 1', `start ${failing}`, `fail ${failing}: 22012`]);
});

test('a request is observed where its reads are asked for', async () => {
  const asked: string[] = [];
  const statement = (text: string) => void asked.push(text);
  const observed = connect({ connectionString: await createTestDatabase(), observer: { ...observer, statement } });
  await observed.executorOf(abortable().request).run(bound('select 1'));
  expect(asked).toEqual(['select 1']);
  expect(seen).toEqual(['connected']);
  await observed.close();
});
