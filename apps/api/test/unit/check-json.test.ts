import { describe, expect, test } from 'vitest';
import { checkJson, maxValues } from '../../src/transports/http/check-json.ts';

const errorOf = (text: string): unknown => {
  try {
    checkJson(text, 'body');
    return undefined;
  } catch (error) {
    return (error as { errors?: [{ message: string }] }).errors?.[0].message;
  }
};

// security/bodies.test.ts has the cases that a caller meets. Here are those of the scanner.
describe('the check of a JSON text', () => {
  test.each([
    ['keys after a nested object', '{"a":{"b":1},"c":2,"a":3}'],
    ['keys after a list', '{"b":[1,{"c":2}],"b":3}'],
    ['white space before the colon', '[[{"a":1 , "a"\t\r\n :2}]]'],
    ['an escaped backslash', String.raw`{"\\":1,"\u005c":2}`],
    ['the empty key', '{"":1,"":2}'],
  ])('finds a duplicate key: %s', (_what, text) => {
    expect(errorOf(text)).toBe('A key is given more than once');
  });

  test.each(['{"__proto__":1}', String.raw`[{"a":{"\u005f_proto__":{}}}]`])('finds the key __proto__ in %s', (text) => {
    expect(errorOf(text)).toBe('The key __proto__ is not allowed');
  });

  test.each(['', '{', '}', ']]', '"', '"\\', '{"a', '{"a"', '{a:1}', String.raw`{"\x":1}`, '[}', '{"a":1]}'])(
    'leaves %j to the parser',
    (text) => {
      expect(errorOf(text)).toBeUndefined();
    },
  );

  test.each(['[', '{"a":'])('counts each %s', (opening) => {
    expect(errorOf(opening.repeat(maxValues + 2))).toBe(`The body has more than ${maxValues} values`);
  });

  test('reads no further than the limit', () => {
    // Behind the limit is a duplicate key.
    expect(errorOf(`[${'1,'.repeat(maxValues)}{"a":1,"a":2}]`)).toBe(`The body has more than ${maxValues} values`);
  });
});
