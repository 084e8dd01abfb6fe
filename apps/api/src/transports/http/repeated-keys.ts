/** A string in valid JSON, with the colon after it if it is a key. */
const strings = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g;

/**
 * Whether an object in the text has a duplicate key. JSON.parse keeps the last one, other parsers the first, so a proxy may have checked another value
 * than this service uses.
 * @param text valid JSON
 * @param value the result of JSON.parse, which has fewer keys than the text if one is duplicate
 */
export function hasRepeatedKeys(text: string, value: unknown): boolean {
  let written = 0;
  for (const [, colon] of text.matchAll(strings)) if (colon !== undefined) written += 1;
  return written !== countKeys(value);
}

/** Without recursion, because the nesting of the text is unlimited. */
function countKeys(value: unknown): number {
  let count = 0;
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null) continue;
    const items = Object.values(next);
    if (!Array.isArray(next)) count += items.length;
    for (const item of items) left.push(item);
  }
  return count;
}
