import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../use-database.ts';
import { bound } from './bound.ts';

const { url, database, sql } = await useDatabase({ max: 1 });
const all = bound('select id, big from numbers where id <= $1 order by id', 1_200);
const options = { rows: 500, maxSeconds: 5 };

beforeAll(async () => {
  await sql('create table numbers (id int primary key, big bigint not null)');
  await sql('insert into numbers select n, n from generate_series(1, 2000) n');
});

describe('a snapshot', () => {
  test('has all rows of one moment, in parts', async () => {
    const sizes: number[] = [];
    const ids: unknown[] = [];
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    for await (const part of database.snapshot(all, options)) {
      sizes.push(part.length);
      ids.push(...part.map((row) => (row as { id: number }).id));
      await other.query('delete from numbers where id = 1100');
    }
    await other.end();
    expect(sizes).toEqual([500, 500, 200]);
    expect(ids).toEqual(Array.from({ length: 1_200 }, (_, index) => index + 1));
  });

  test('returns its connection when the loop ends early, and after an error', async () => {
    for await (const [first] of database.snapshot(all, options)) {
      expect(first).toEqual({ id: 1, big: 1 });
      break;
    }
    await expect(database.snapshot(bound('select 1 / $1::int', 0), options).next()).rejects.toThrow('division by zero');
    expect(await sql('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('fails if its reader takes too long', async () => {
    const parts = database.snapshot(all, { rows: 1, maxSeconds: 1 });
    await parts.next();
    await pause(2_000);
    await expect(parts.next()).rejects.toThrow(/connection/);
    expect(await sql('select 1 as one')).toEqual([{ one: 1 }]);
  });
});
