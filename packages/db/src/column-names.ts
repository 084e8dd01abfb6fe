const names = new Map<string, string>();

/** The name of a result's column in JavaScript: `createdAt` for `created_at`. */
export function camelCased(column: string): string {
  let name = names.get(column);
  if (name === undefined) {
    name = column.replaceAll(/_([a-z\d])/g, (_match, letter: string) => letter.toUpperCase());
    names.set(column, name);
  }
  return name;
}
