import { afterEach, expect, test } from 'vitest';
import type { BoundStatement } from '../../src/connection/executor.ts';
import { Reads } from '../../src/connection/reads.ts';
import type { Session, Sessions } from '../../src/connection/session.ts';
import { abortable } from '../connection/abortable.ts';

/** What the sessions did, in order. */
let events: string[] = [];
/** Ends the oldest cancel request that runs. */
let cancels: (() => void)[] = [];

/** A request whose reads run on one connection until the test ends them. */
function startRequest(name: string) {
  const statements: PromiseWithResolvers<unknown[]>[] = [];
  const session = {
    read({ text }: BoundStatement) {
      events.push(`${name}: ${text}`);
      const statement = Promise.withResolvers<unknown[]>();
      statements.push(statement);
      return statement.promise;
    },
    cancel() {
      events.push(`${name}: cancel`);
      return new Promise<void>((resolve) => void cancels.push(resolve));
    },
    release: () => events.push(`${name}: release`),
  };
  const { request, abort } = abortable();
  const reads = new Reads({ acquire: async () => session as unknown as Session } as Sessions, request);
  const run = (text: string) => {
    const rows = reads.run({ name: text, text, values: [] });
    rows.catch(() => undefined);
    return rows;
  };
  return { run, abort, statements };
}

const ticks = () => new Promise((resolve) => setImmediate(resolve));

// Test files share the module, and only two cancel requests run at once.
afterEach(async () => {
  for (let turn = 0; turn < 5; turn += 1) {
    for (const end of cancels) end();
    await ticks();
  }
});

async function startRead(name: string) {
  const started = startRequest(name);
  const rows = started.run('read');
  await ticks();
  return { ...started, rows, end: () => started.statements[0]?.resolve([]) };
}

async function begin() {
  [events, cancels] = [[], []];
  const reads = await Promise.all(['a', 'b', 'c', 'd'].map(startRead));
  events = [];
  return reads;
}

test('cancels every aborted read, at most two at once, and keeps each connection until its cancel request has completed', async () => {
  const reads = await begin();
  for (const { abort } of reads) abort();
  await ticks();
  reads[0]?.end();
  await ticks();
  expect(events).toEqual(['a: cancel', 'b: cancel']);
  cancels.shift()?.();
  await ticks();
  expect(events.toSorted()).toEqual(['a: cancel', 'a: release', 'b: cancel', 'c: cancel']);
  for (const { end, rows } of reads) {
    end();
    for (const cancelled of cancels) cancelled();
    await expect(rows).rejects.toThrow('disconnected');
  }
});

test('sends no cancel request for a statement that ended while the request waited for its turn', async () => {
  const reads = await begin();
  for (const { abort } of reads) abort();
  reads[2]?.end();
  // The read ends without waiting for its turn.
  await expect(reads[2]?.rows).rejects.toThrow('disconnected');
  cancels.shift()?.();
  await ticks();
  expect(events).toEqual(['a: cancel', 'b: cancel', 'c: release', 'd: cancel']);
});

test('cancels the reads of a batch one after the other', async () => {
  [events, cancels] = [[], []];
  const { run, abort, statements } = startRequest('a');
  const rows = [run('first'), run('second')];
  await ticks();
  abort();
  await ticks();
  expect(events).toEqual(['a: first', 'a: second', 'a: cancel']);
  cancels.shift()?.();
  statements[0]?.reject(new Error('canceling statement due to user request'));
  await ticks();
  expect(events.at(-1)).toBe('a: cancel');
  cancels.shift()?.();
  statements[1]?.reject(new Error('canceling statement due to user request'));
  for (const each of rows) await expect(each).rejects.toThrow('disconnected');
  expect(events.slice(-2)).toEqual(['a: cancel', 'a: release']);
});
