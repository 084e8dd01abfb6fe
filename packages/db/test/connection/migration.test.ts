import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test/database.ts';
import { connect, type Database, retryTransaction } from '../../src/index.ts';
import { bound } from './bound.ts';
import { watchWrites } from './watch-writes.ts';

/** A migration can change the columns of `select *` while connections have the statement prepared. */
let migration: Database;
/** Has two connections. */
let database: Database;

beforeEach(async () => {
  const connectionString = await createTestDatabase();
  migration = connect({ connectionString, max: 1 });
  database = connect({ connectionString, max: 2 });
  await migration.pool.query("create table thing (id int, first text); insert into thing values (1, 'a')");
});
afterEach(async () => {
  await database.close();
  await migration.close();
});

const readAll = bound('select * from thing');
const touchAll = bound('update thing set id = id returning *');
const rows = {
  before: [{ id: 1, first: 'a' }],
  added: [{ id: 1, first: 'a', second: null }],
  replaced: [{ id: 1, second: null, first: 'b' }],
  renamed: [{ id: 1, second: null, last: 'b' }],
};
const add = 'alter table thing add column second text';
const replace = "alter table thing drop column first; alter table thing add column first text default 'b'";
const rename = 'alter table thing rename column first to last';

describe('a migration that changes the columns of a prepared statement', () => {
  test.each([readAll, touchAll])('is not noticed outside a transaction: $text', async (statement) => {
    const takeWrites = watchWrites(database);
    expect(await database.executor.run(statement)).toEqual(rows.before);
    await migration.pool.query(add);
    takeWrites();
    expect(await database.executor.run(statement)).toEqual(rows.added);
    expect(takeWrites()).toEqual(['BDES', 'PBDES']);
    expect(await database.executor.run(statement)).toEqual(rows.added);
    expect(takeWrites()).toEqual(['BDES']);
  });

  test.each([readAll, touchAll])('is not noticed by a transaction that is retried: $text', async (statement) => {
    const run = () => retryTransaction(() => database.transaction((executor) => executor.run(statement)));
    expect(await run()).toEqual(rows.before);
    for (const [sql, expected] of [
      [add, rows.added],
      [replace, rows.replaced],
    ] as const) {
      await migration.pool.query(sql);
      expect(await run()).toEqual(expected);
    }
  });

  test('never mixes up the columns of a connection from before and one from after it', async () => {
    const steps: [sql: string, expected: object[]][] = [
      [add, rows.added],
      [replace, rows.replaced],
      [rename, rows.renamed],
    ];
    expect(await database.executor.run(readAll)).toEqual(rows.before);
    expect(database.pool.totalCount).toBe(1);
    for (const [sql, expected] of steps) {
      await migration.pool.query(sql);
      // Takes the old connection, so that the next read opens or uses the other one.
      const old = await database.pool.connect();
      expect(await database.executor.run(readAll)).toEqual(expected);
      old.release();
      const both = [database.executor.run(readAll), database.executor.run(readAll)];
      expect(await Promise.all(both)).toEqual([expected, expected]);
      expect(database.pool.totalCount).toBe(2);
    }
  });
});
