import { expect, test } from 'vitest';
import { endOfNumber, isExact, pathAt } from '../../src/request/exact-numbers.ts';

const zeros = '0'.repeat(400);
const exact = `0 1 0.1 1.10 1.0 1e2 1E+2 1e-2 0.30000000000000004 123456789012345 1234567890123450e-1 9007199254740991 9007199254740991.0
  9007199254740991e0 900719925474099100e-2 1e21 1000000000000000000000 1e300 0.10000000000000000000000000 0.1${zeros} 1.7976931348623157e308 5e-324
  2.2250738585072014e-308 0.0 0e999 0.0e-999 0.${zeros}1e401 0.12345678901234560`;
const inexact = `9007199254740992 9007199254740993 9007199254740994 9007199254740993.0 9007199254740993e0 900719925474099300e-2 1e20
  100000000000000000001 1000000000000000000001 1.00000000000000000000001e300 0.1000000000000000055511151231257827 0.12345678901234567890
  4503599627370496.7 4e-324 1.234567e-320 1e400 1e-400 1e99999999999999999999 1e-99999999999999999999 1.7976931348623159e308`;
/** The parser rejects these. */
const noNumbers = '1.2.3 1e 1-2 1e5e5 1+';

test.each([
  [exact, true],
  [inexact, false],
  [noNumbers, true],
])('numbers in JSON that are exact, or no numbers: %s: %s', (texts, expected) => {
  expect(texts.split(/\s+/).filter((text) => isExact(text) !== expected)).toEqual([]);
});

test('a number in JSON ends before the next character that cannot be part of one', () => {
  expect(endOfNumber('[1.5e-7,2]', 1)).toBe(7);
  expect(endOfNumber('12', 0)).toBe(2);
});

test.each<[text: string, path: string | undefined]>([
  ['{"a":[1,{"b":-12}]}', 'a.1.b'],
  ['-12', ''],
  ['{"":{"":12}}', '.'],
  ['{"a":12,"b":{}}', 'a'],
  ['{"a":12', undefined],
  [`${'['.repeat(50_000)}12${']'.repeat(50_000)}`, undefined],
])('the path of 12 in %.20s is %j', (text, path) => {
  const at = text.indexOf('12');
  expect(pathAt(text, at, at + 2)).toBe(path);
});
