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

describe('the check of a JSON text', () => {
  test.each([
    '{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}',
    String.raw`{"a":"\"a\":","b":"\\","c":"{\"c\":1}"}`,
    String.raw`{"\\":1,"\\\\":2}`,
    '["a","a",{"a":["a","a"]}]',
    '{"a"\t\r\n :1}',
    '"a"',
    '1',
  ])('accepts %s', (text) => {
    expect(errorOf(text)).toBeUndefined();
    expect(JSON.parse(text)).toBeDefined();
  });

  test.each([
    '{"a":1,"a":1}',
    '{"a":{},"a":[]}',
    '{"a":{"b":1},"c":2,"a":3}',
    '[[{"a":1 , "a" :2}]]',
    '{"b":[1,{"c":2}],"b":3}',
    String.raw`{"a":1,"\u0061":2}`,
    String.raw`{"\\":1,"\u005c":2}`,
    '{"":1,"":2}',
  ])('finds the duplicate key in %s', (text) => {
    expect(errorOf(text)).toBe('A key is given more than once');
  });

  test.each(['{"__proto__":1}', String.raw`[{"a":{"\u005f_proto__":{}}}]`])('finds the key __proto__ in %s', (text) => {
    expect(errorOf(text)).toBe('The key __proto__ is not allowed');
  });

  test.each(['', '{', '}', ']]', '"', '"\\', '{"a', '{"a"', '{a:1}', String.raw`{"\x":1}`, '[}', '{"a":1]}'])(
    'leaves %j to the parser',
    (text) => {
      expect(errorOf(text)).toBeUndefined();
      expect(() => void JSON.parse(text)).toThrow(SyntaxError);
    },
  );

  // Rules: LIMITS-8
  test.each([
    ['items', (values: number) => `[${Array.from({ length: values - 1 }, () => 1).join()}]`],
    ['keys', (values: number) => `{${Array.from({ length: values - 1 }, (_, index) => `"${index}":1`).join()}}`],
    ['lists', (values: number) => '['.repeat(values - 1)],
    ['objects', (values: number) => '{"a":'.repeat(values - 1)],
  ])('rejects too many %s', (_what, ofSize) => {
    expect(errorOf(ofSize(maxValues - 1))).toBeUndefined();
    expect(errorOf(ofSize(maxValues + 2))).toBe(`The body has more than ${maxValues} values`);
  });

  test('reads no further than the limit', () => {
    // Behind the limit is a duplicate key.
    expect(errorOf(`[${'1,'.repeat(maxValues)}{"a":1,"a":2}]`)).toBe(`The body has more than ${maxValues} values`);
  });
});
