import { validationFailed } from './validation-failed.ts';
import { endOfNumber, isExact, pathAt } from './exact-numbers.ts';

/** Maximum number of values and keys in a JSON text (LIMITS-8). Without it, 1 MiB of numbers would take 0.2 seconds, and 1 MiB of keys 0.15 seconds. */
export const maxValues = 60_000;

/**
 * Checks a JSON text in one pass, before it is parsed: the number of its values, keys that occur twice in an object (D-12), keys that could change a
 * prototype (D-11), and numbers that JavaScript would change (D-5). Parsers disagree about which of two keys counts, and a proxy may have checked the other
 * one. A text that is not JSON passes or not: the parser rejects it.
 * @param what the text, for the error message
 * @throws VALIDATION_FAILED
 */
export function checkJson(text: string, what: 'body' | 'input' | 'row'): void {
  /** The keys of the objects that are open here. Undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  let keys: Set<string> | undefined;
  // The text itself is a value. Keys count too: they take ten times as long as numbers.
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote: {
        const end = endOfString(text, at);
        if (keys && isKey(text, end)) {
          addKey(keys, text.slice(at + 1, end));
          values += 1;
        }
        at = end;
        break;
      }
      case openBrace:
      case openBracket:
        open.push(keys);
        keys = text.charCodeAt(at) === openBrace ? new Set() : undefined;
        values += 1;
        break;
      case closeBrace:
      case closeBracket:
        keys = open.pop();
        continue;
      case comma:
        values += 1;
        break;
      default:
        if (isDigit(text.charCodeAt(at))) {
          const end = endOfNumber(text, at);
          if (end - at > 1 && !isExact(text.slice(at, end))) rejectNumber(text, at, end);
          at = end - 1;
        }
        continue;
    }
    if (values > maxValues) throw validationFailed('', `The ${what} has more than ${maxValues} values and keys`);
  }
}

const codeOf = (character: string): number => character.charCodeAt(0);
const quote = codeOf('"');
const backslash = codeOf('\\');
const openBrace = codeOf('{');
const closeBrace = codeOf('}');
const openBracket = codeOf('[');
const closeBracket = codeOf(']');
const comma = codeOf(',');
const colon = codeOf(':');
const space = codeOf(' ');
const zero = codeOf('0');
const nine = codeOf('9');

const isDigit = (code: number): boolean => code >= zero && code <= nine;

/** Throws VALIDATION_FAILED, unless the text is not JSON: the parser rejects that. */
function rejectNumber(text: string, start: number, end: number): void {
  const path = pathAt(text, start, end);
  if (path !== undefined) throw validationFailed(path, 'The number has more digits than a double keeps. Send it as a string');
}

/** Returns the position of the quote that ends the string, or the length of the text. @param start position of the first quote */
function endOfString(text: string, start: number): number {
  for (let end = start; ;) {
    end = text.indexOf('"', end + 1);
    if (end < 0) return text.length;
    let escapes = end;
    while (text.charCodeAt(escapes - 1) === backslash) escapes -= 1;
    // An even number of backslashes are characters of the string.
    if ((end - escapes) % 2 === 0) return end;
  }
}

/** Whether a colon follows the string that ends here. */
function isKey(text: string, end: number): boolean {
  let at = end + 1;
  // All white space of JSON has codes up to that of the space.
  while (text.charCodeAt(at) <= space) at += 1;
  return text.charCodeAt(at) === colon;
}

function addKey(keys: Set<string>, written: string): void {
  const key = written.includes('\\') ? unescape(written) : written;
  if (key === '__proto__') throw validationFailed('', 'The key __proto__ is not allowed');
  if (keys.size === keys.add(key).size) throw validationFailed('', 'A key is given more than once');
}

/** Returns the key without escapes. A key that is not valid JSON stays as it is: the parser rejects it. */
function unescape(written: string): string {
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return written;
  }
}
