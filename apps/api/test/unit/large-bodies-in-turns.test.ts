import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ParseLargeBody } from '../../src/request/api-request.ts';
import { createConcurrencyLimits } from '../../src/request/limits/concurrency-limits.ts';
import { RequestAbort } from '../../src/request/request-abort.ts';
import { largeBodyParser } from '../../src/request/steps/read-input.ts';
import { readJson } from '../../src/transports/http/body.ts';

const settings = {
  DATABASE_POOL_MAX: 10,
  REQUEST_QUEUE_MAX: 100,
  REQUEST_QUEUE_DELAY_MS: 1_000,
  DATABASE_POOL_TIMEOUT_SECONDS: 5,
  EXPORTS_AT_ONCE: 2,
  UPLOADS_AT_ONCE_PER_TENANT: 1,
  DOWNLOADS_AT_ONCE_PER_TENANT: 1,
};
const nothing = () => undefined;

test('one large body is parsed in each turn of the event loop, one tenant after the other', async () => {
  const { largeBodies } = createConcurrencyLimits({ settings, onRejected: nothing, onOverloaded: nothing, onWaited: nothing });
  const order: string[] = [];
  const parse = (tenant: string, name: string) => largeBodyParser(largeBodies, tenant, new RequestAbort())(() => order.push(name));
  const large = ['a1', 'a2', 'a3', 'a4'].map((name) => parse('a', name));
  const other = parse('b', 'b1');
  for (let turn = 1; turn <= 3; turn += 1) {
    await nextTurn();
    order.push(`turn ${turn}`);
  }
  await Promise.all([...large, other]);
  expect(order.filter((name) => !name.startsWith('turn'))).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
  const turns = order
    .join(' ')
    .split(/turn \d/)
    .map((names) => names.trim().split(' ').filter(Boolean).length);
  // The rest is parsed in further turns, which this test does not count.
  expect(turns.slice(0, 3)).toEqual([1, 1, 1]);
});

test('a body of more than 8 KiB is large', async () => {
  let parsedInTurns = 0;
  const parseLargeBody: ParseLargeBody = async (parse) => {
    parsedInTurns += 1;
    return parse();
  };
  for (const bytes of [8_192, 8_193]) {
    const text = JSON.stringify('x'.repeat(bytes - 2));
    const headers = { 'content-type': 'application/json', 'content-length': String(bytes) };
    const request = Object.assign(Readable.from([Buffer.from(text)]), { headers });
    expect(await readJson(request as unknown as IncomingMessage, bytes, parseLargeBody)).toBe(JSON.parse(text));
    expect(parsedInTurns).toBe(bytes - 8_192);
  }
});
