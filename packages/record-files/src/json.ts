/** Nesting that the recursive functions of this package and of its callers can handle. The rules for requests are stricter. */
const maxDepth = 64;

/** Says why a parsed JSON value is rejected: the key `__proto__`, or nesting deeper than 64 levels. Undefined if it is accepted. */
export function forbiddenIn(value: unknown, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > maxDepth) return `Nested deeper than ${maxDepth} levels`;
  for (const key of Object.keys(value)) {
    if (key === '__proto__') return 'The key __proto__ is not allowed';
    const reason = forbiddenIn((value as Record<string, unknown>)[key], depth + 1);
    if (reason) return reason;
  }
  return undefined;
}
