import type { Input } from '@profile-service/contracts/examples';

/**
 * Splits the input of an endpoint. Returns path and query of the request, and the fields that remain for its body.
 * @param path with parameters in braces  @param query names of the query's parameters
 */
export function targetOf(path: string, query: readonly string[], input: Input): { target: string; fields: Input } {
  const left = new Map(Object.entries(input));
  const take = (name: string): string => {
    const value = String(left.get(name));
    left.delete(name);
    return value;
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(take(name)));
  const search = new URLSearchParams(query.filter((name) => left.has(name)).map((name): [string, string] => [name, take(name)]));
  return { target: search.size > 0 ? `${filled}?${search.toString()}` : filled, fields: Object.fromEntries(left) };
}
