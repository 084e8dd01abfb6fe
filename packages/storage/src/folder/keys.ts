import { join } from 'node:path';

const segment = /^[\w-][\w.-]*$/;

/** Whether the name of a file or folder can be a segment of a key. The names of temporary files cannot: they begin with a dot. */
export const isKeySegment = (name: string): boolean => segment.test(name);

/**
 * Returns the path of an object's file. Each segment of a key consists of letters, digits and `._-` and does not begin with a dot, so no path leads out of
 * the storage folder.
 * @throws Error for any other key
 */
export function pathOf(root: string, key: string): string {
  if (!key.split('/').every(isKeySegment)) throw new Error(`Not a key of this storage: ${JSON.stringify(key)}`);
  return join(root, key);
}
