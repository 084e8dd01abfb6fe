import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Socket } from 'node:net';
import type { FieldDef } from 'pg';
import { expect, test } from 'vitest';
import { type EncodeRow, RowCollector } from '../../src/connection/rows.ts';

/** Collects rows from a stream that the test controls. */
function collect(encodeRow?: EncodeRow) {
  const calls: string[] = [];
  let isPaused = false;
  const stream = {
    bytesRead: 0,
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
  const rows = new RowCollector(stream as unknown as Socket, encodeRow);
  const result = { fields: [{ name: 'n' } as FieldDef] };
  return {
    calls,
    rows,
    receiveRows(count: number, bytes = 0) {
      for (let n = 0; n < count; n += 1) {
        stream.bytesRead += bytes;
        rows.add([n], result);
      }
    },
  };
}

test('a long result pauses its connection after every 200 rows until its next turn, and returns all rows', async () => {
  const { calls, rows, receiveRows } = collect();
  receiveRows(199);
  expect(calls).toEqual([]);
  receiveRows(250);
  expect(calls).toEqual(['pause']);
  await expect.poll(() => calls).toEqual(['pause', 'resume']);
  receiveRows(151);
  expect(rows.end()).toHaveLength(600);
  await nextTurn();
  expect(calls).toEqual(['pause', 'resume', 'pause', 'resume']);
});

test('large rows pause their connection after every 128 KiB', async () => {
  const { calls, receiveRows } = collect();
  receiveRows(2, 65_536);
  expect(calls).toEqual([]);
  receiveRows(1, 65_536);
  expect(calls).toEqual(['pause']);
  await expect.poll(() => calls).toEqual(['pause', 'resume']);
  receiveRows(2, 65_536);
  expect(calls).toEqual(['pause', 'resume']);
});

test.for([0, 1, 200, 401])('%i rows that are encoded when they arrive are one JSON array, in chunks of 200', (count) => {
  const { rows, receiveRows } = collect((row) => JSON.stringify(row));
  receiveRows(count);
  const chunks = rows.end() as Buffer[];
  expect(chunks).toHaveLength(Math.ceil(count / 200));
  expect(JSON.parse(`[${Buffer.concat(chunks).toString()}]`)).toEqual(Array.from({ length: count }, (_, n) => ({ n })));
});
