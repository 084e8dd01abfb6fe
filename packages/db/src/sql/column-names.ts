const names = new Map<string, string>();

/** Converts the name of a column to JavaScript: `createdAt` for `created_at`. */
export function camelCased(column: string): string {
  let name = names.get(column);
  if (name === undefined) {
    name = column.replaceAll(/_([a-z\d])/g, (_match, letter: string) => letter.toUpperCase());
    names.set(column, name);
  }
  return name;
}
