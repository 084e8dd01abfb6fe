import { randomBytes } from 'node:crypto';
import { rows } from '@profile-service/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rest, trpc } from './faces.ts';
import { type Place, startPlace } from './place.ts';
import { validCall } from './scenarios.ts';

let place: Place;
beforeAll(async () => (place = await startPlace()));
afterAll(() => place.world.stop());

/** What may come where anything else was meant. */
const nastyTexts = [
  '',
  ' ',
  'null',
  '\u0000',
  'a\u0000b',
  '%00',
  '\u0001\u001f\u007f',
  '\ufffe\uffff',
  '🌱'.repeat(300),
  'x'.repeat(3_000),
  // More than an entry of an index holds, and nothing that can be compressed.
  randomBytes(4_500).toString('base64'),
  "'; drop table users; --",
  '%_\\',
  '${1}',
  '{}',
  '-1',
  '0',
  '1.5',
  '2147483648',
  '1e400',
  'NaN',
  '-Infinity',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  '2026-02-30',
  '9999-12-31T23:59:59.999Z',
  '__proto__',
];
const nastyValues: unknown[] = [
  ...nastyTexts,
  null,
  true,
  0,
  -1,
  1.5,
  -0,
  2 ** 31,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_VALUE,
  5e-324,
  [],
  [null],
  [[]],
  ['\ud800'],
  {},
  { length: 3 },
  { toString: 'x', valueOf: null },
  '\ud800',
  Array.from({ length: 1_000 }, () => 'x'),
];

/** A row's fields, and the values that each can be sent over either face: an address holds texts alone. */
const fields = rows.flatMap(({ name, row }) => {
  const parameters = Object.keys({ ...row.params, ...row.query });
  const asText = parameters.map((field) => ({ name, row, field, face: 'REST', call: rest, values: nastyTexts }));
  // A file row has no tRPC face.
  const asAny = row.media !== 'json' ? [] : [...parameters, ...Object.keys(row.body?.shape ?? {})];
  return [...asText, ...asAny.map((field) => ({ name, row, field, face: 'tRPC', call: trpc, values: nastyValues }))];
});

test.each(fields)('$name never fails over $face, whatever $field is', async ({ name, row, field, call, values }) => {
  const valid = await validCall(place, name);
  const statuses = values.map((value) => call({ ...valid, input: { ...valid.input, [field]: value } }, name, row));
  const failed = (await Promise.all(statuses)).flatMap(({ status }, index) => (status >= 500 ? [values[index]] : []));
  expect(failed).toEqual([]);
});
