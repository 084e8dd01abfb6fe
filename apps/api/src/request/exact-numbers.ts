import { randomUUID } from 'node:crypto';

/** A double holds every decimal of up to 15 significant digits from `smallestNormal`. */
const maxExactDigits = 15;
const smallestNormal = 2 ** -1022;

/** From here JavaScript writes integers with an exponent. */
const firstWithExponent = 1e21;

/** Returns the position after the number. Also accepts text that only resembles a number. @param start position of its first digit */
export function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (isNumeric(text.charCodeAt(end))) end += 1;
  return end;
}

const zero = 0x30;
const nine = 0x39;
const dot = 0x2e;
const otherParts = new Set(['.', '+', '-', 'e', 'E'].map((character) => character.charCodeAt(0)));

/** Whether a number can contain the character. */
const isNumeric = (code: number): boolean => (code >= zero && code <= nine) || otherParts.has(code);

/**
 * Whether JavaScript returns the number as the same decimal (D-5). 1.10 and 1e2 are the same as 1.1 and 100. An integer from 2^53 that JavaScript writes as
 * digits is never exact, because the next one would be stored as the same number. Text that is not a number passes: the parser rejects it.
 * @param written a number in JSON without its sign
 */
export function isExact(written: string): boolean {
  const value = Number(written);
  if (Number.isNaN(value)) return true;
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && value < firstWithExponent) return false;
  if (!Number.isFinite(value)) return false;
  if (value >= smallestNormal && countSignificantDigits(written) <= maxExactDigits) return true;
  const shortest = String(value);
  return written === shortest || normalize(written) === normalize(shortest);
}

function countSignificantDigits(written: string): number {
  let digits = 0;
  let count = 0;
  for (let at = 0; at < written.length; at += 1) {
    const code = written.charCodeAt(at);
    if (code === dot) continue;
    if (code < zero || code > nine) break;
    if (digits > 0 || code !== zero) digits += 1;
    if (code !== zero) count = digits;
  }
  return count;
}

/** Returns the digits without zeros at both ends, and the power of ten. No regular expression, which would take quadratic time for many zeros. */
function normalize(decimal: string): string {
  const [mantissa = '', exponent = '0'] = decimal.toLowerCase().split('e');
  const [integer = '', fraction = ''] = mantissa.split('.');
  const digits = integer + fraction;
  let start = 0;
  while (digits.startsWith('0', start)) start += 1;
  let end = digits.length;
  while (end > start && digits.endsWith('0', end)) end -= 1;
  return start === end ? '0' : `${digits.slice(start, end)}e${Number(exponent) + integer.length - start}`;
}

/** Returns the path of the value at this position, such as `metadata.list.0`. Undefined if the text is not JSON, or is nested too deeply. */
export function pathAt(text: string, start: number, end: number): string | undefined {
  const mark = randomUUID();
  // A minus sign before a string would not be JSON.
  const before = text.slice(0, text[start - 1] === '-' ? start - 1 : start);
  try {
    return findPath(JSON.parse(`${before}"${mark}"${text.slice(end)}`), mark)?.join('.');
  } catch {
    return undefined;
  }
}

function findPath(value: unknown, wanted: string): string[] | undefined {
  if (value === wanted) return [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const path = findPath(inner, wanted);
    if (path) return [key, ...path];
  }
  return undefined;
}
