/** A string of valid JSON; the colon behind it, where it is a key. */
const strings = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g;

/**
 * Whether an object in the text has a key twice. JSON.parse keeps the last one, others the first: whoever looked at the request on its way may have
 * seen another value than this service would.
 * @param text valid JSON  @param value what JSON.parse made of it: it has fewer keys than were written
 */
export function hasRepeatedKeys(text: string, value: unknown): boolean {
  let written = 0;
  for (const [, colon] of text.matchAll(strings)) if (colon !== undefined) written += 1;
  return written !== countKeys(value);
}

/** Without recursion: the text may be nested as deep as it is long. */
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
