import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { PreparedStatements } from '../../src/execution/prepared-statements.ts';
import { roundTrip } from '../../src/execution/round-trip.ts';
import { inNextTurn } from '../../src/execution/turns.ts';

describe('inNextTurn', () => {
  test('runs one piece in each turn of the event loop, in the order of the calls, also after a piece that adds another', async () => {
    const done: string[] = [];
    inNextTurn(() => {
      done.push('a1');
      inNextTurn(() => done.push('a2'));
    });
    inNextTurn(() => done.push('b1'));
    expect(done).toEqual([]);
    for (const expected of [['a1'], ['a1', 'b1'], ['a1', 'b1', 'a2']]) {
      await nextTurn();
      expect(done).toEqual(expected);
    }
  });
});

test('a long result pauses its connection after every 200 rows until the next turn, and returns all rows', async () => {
  const calls: string[] = [];
  let isPaused = false;
  const stream = {
    write: () => true,
    isPaused: () => isPaused,
    pause() {
      calls.push('pause');
      isPaused = true;
    },
    resume() {
      calls.push('resume');
      isPaused = false;
    },
  };
  const sent: pg.Submittable[] = [];
  const client = { query: (query: pg.Submittable) => sent.push(query) };
  const statement = { name: 'numbers', text: 'select n from numbers', values: [] };
  const result = roundTrip(client as unknown as pg.ClientBase, new PreparedStatements(), [statement]);
  const [query] = sent as unknown as [Record<string, (message?: unknown) => void>];
  query['submit']?.({ stream });
  query['handleRowDescription']?.({ fields: [{ name: 'n', dataTypeID: 23 }] });
  const readRows = (count: number) => {
    for (let n = 0; n < count; n += 1) query['handleDataRow']?.({ fields: [String(n)] });
  };
  readRows(199);
  expect(calls).toEqual([]);
  readRows(250);
  expect(calls).toEqual(['pause']);
  await nextTurn();
  expect(calls).toEqual(['pause', 'resume']);
  readRows(151);
  query['handleCommandComplete']?.();
  query['handleReadyForQuery']?.();
  expect((await result).results[0]).toHaveLength(600);
  await nextTurn();
  expect(calls).toEqual(['pause', 'resume', 'pause', 'resume']);
});
