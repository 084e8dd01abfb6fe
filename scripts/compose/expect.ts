import { isDeepStrictEqual } from 'node:util';

/** Throws unless the values are equal. */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected))
    throw new Error(`${what}: expected ${JSON.stringify(expected)}, received ${JSON.stringify(actual)}`);
}

/** Throws unless the text contains the part. */
export function expectPart(what: string, text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`${what}: ${JSON.stringify(part)} is not in:\n${text}`);
}
