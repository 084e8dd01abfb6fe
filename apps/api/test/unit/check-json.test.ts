import { expect, test } from 'vitest';
import { checkJson, maxValues } from '../../src/request/check-json.ts';

const errorOf = (text: string): unknown => {
  try {
    checkJson(text, 'body');
    return undefined;
  } catch (error) {
    return (error as { errors?: [{ message: string }] }).errors?.[0].message;
  }
};

const tooMany = `The body has more than ${maxValues} values and keys`;

// transports/bodies.test.ts has the cases that a caller meets. Here are those of the scanner.
test.each([
  ['a key after a nested object', '{"a":{"b":1},"c":2,"a":3}', 'A key is given more than once'],
  ['a key after a list', '{"b":[1,{"c":2}],"b":3}', 'A key is given more than once'],
  ['a key before white space', '[[{"a":1 , "a"\t\r\n :2}]]', 'A key is given more than once'],
  ['an escaped backslash', String.raw`{"\\":1,"\u005c":2}`, 'A key is given more than once'],
  ['an empty key', '{"":1,"":2}', 'A key is given more than once'],
  ['__proto__', '{"__proto__":1}', 'The key __proto__ is not allowed'],
  ['an escaped __proto__', String.raw`[{"a":{"\u005f_proto__":{}}}]`, 'The key __proto__ is not allowed'],
  ['many lists', '['.repeat(maxValues + 2), tooMany],
  ['many objects', '{"a":'.repeat(maxValues + 2), tooMany],
  ['many keys', `{${Array.from({ length: maxValues / 2 }, (_, index) => `"${index}":1`).join()}}`, tooMany],
  ['a key twice behind the limit', `[${'1,'.repeat(maxValues)}{"a":1,"a":2}]`, tooMany],
])('the check of a JSON text rejects %s', (_what, text, message) => {
  expect(errorOf(text)).toBe(message);
});

test.each(['', '{', '}', ']]', '"', '"\\', '{"a', '{"a"', '{a:1}', String.raw`{"\x":1}`, '[}', '{"a":1]}'])(
  'leaves %j to the parser',
  (text) => {
    expect(errorOf(text)).toBeUndefined();
  },
);
