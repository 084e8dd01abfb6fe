/** A string in valid JSON, with the colon after it if it is a key. */
const strings = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g;

/**
 * Whether an object in the text has a duplicate key. JSON.parse keeps the last one and other parsers keep the first. A proxy may therefore have checked
 * another value than the one that this service uses (D-12).
 * @param text valid JSON
 * @param value the result of JSON.parse, which has fewer keys than the text if one is duplicate
 */
export function hasDuplicateKeys(text: string, value: unknown): boolean {
  let keysInText = 0;
  for (const [, colon] of text.matchAll(strings)) if (colon !== undefined) keysInText += 1;
  return keysInText !== countKeys(value);
}

/** Counts the keys of all objects in the value. Without recursion, because the nesting of the text is unlimited. */
function countKeys(value: unknown): number {
  let count = 0;
  const stack = [value];
  while (stack.length > 0) {
    const next = stack.pop();
    if (typeof next !== 'object' || next === null) continue;
    const children = Object.values(next);
    if (!Array.isArray(next)) count += children.length;
    for (const child of children) stack.push(child);
  }
  return count;
}
