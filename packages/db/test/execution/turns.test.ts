import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import type { EncodeRow } from '../../src/connection/encoded-rows.ts';
import { PreparedStatements } from '../../src/connection/prepared-statements.ts';
import { roundTrip } from '../../src/connection/round-trip.ts';
import { inNextTurn, onStatementSent } from '../../src/connection/turns.ts';

describe('inNextTurn', () => {
  // Test files share the module: after this piece, no statement was sent.
  beforeEach(() => new Promise<void>((resolve) => inNextTurn(resolve)));

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

  test('leaves the next turns to other requests after a statement was sent, if no other piece waits', async () => {
    const done: string[] = [];
    onStatementSent();
    inNextTurn(() => done.push('a'));
    await nextTurn();
    expect(done).toEqual([]);
    await expect.poll(() => done).toEqual(['a']);
    inNextTurn(() => done.push('b'));
    await nextTurn();
    expect(done).toEqual(['a', 'b']);
  });
});

/** Sends a statement on a connection that the test controls. */
function send(encodeRow?: EncodeRow) {
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
  const statement = { name: 'numbers', text: 'select n from numbers', values: [], ...(encodeRow ? { encodeRow } : {}) };
  const outcome = roundTrip(client as unknown as pg.ClientBase, new PreparedStatements(), [statement]);
  const [query] = sent as unknown as [Record<string, (message?: unknown) => void>];
  query['submit']?.({ stream });
  query['handleRowDescription']?.({ fields: [{ name: 'n', dataTypeID: 23 }] });
  return {
    calls,
    outcome,
    receiveRows(count: number) {
      for (let n = 0; n < count; n += 1) query['handleDataRow']?.({ fields: [String(n)] });
    },
    end() {
      query['handleCommandComplete']?.();
      query['handleReadyForQuery']?.();
    },
  };
}

test('a long result pauses its connection after every 200 rows until its next turn, and returns all rows', async () => {
  const { calls, outcome, receiveRows, end } = send();
  receiveRows(199);
  expect(calls).toEqual([]);
  receiveRows(250);
  expect(calls).toEqual(['pause']);
  await expect.poll(() => calls).toEqual(['pause', 'resume']);
  receiveRows(151);
  end();
  expect((await outcome).results[0]).toHaveLength(600);
  await nextTurn();
  expect(calls).toEqual(['pause', 'resume', 'pause', 'resume']);
});

describe('rows that are encoded when they arrive', () => {
  test.for([0, 1, 200, 401])('%i rows are one JSON array, in chunks of 200', async (count) => {
    const { outcome, receiveRows, end } = send((row) => JSON.stringify(row));
    receiveRows(count);
    end();
    const chunks = (await outcome).results[0] as Buffer[];
    expect(chunks).toHaveLength(Math.ceil(count / 200));
    expect(JSON.parse(`[${Buffer.concat(chunks).toString()}]`)).toEqual(Array.from({ length: count }, (_, n) => ({ n })));
  });

  test('they pause the connection too', () => {
    const { calls, receiveRows } = send((row) => JSON.stringify(row));
    receiveRows(200);
    expect(calls).toEqual(['pause']);
  });

  test('an error of a row is the error of the statement', async () => {
    const failure = new Error('not encoded');
    const { outcome, receiveRows, end } = send(() => {
      throw failure;
    });
    receiveRows(2);
    end();
    expect(await outcome).toEqual({ results: [], error: failure });
  });
});
