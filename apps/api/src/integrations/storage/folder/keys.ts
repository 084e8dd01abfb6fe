import { join } from 'node:path';

const partOfKey = /^[\w-][\w.-]*$/;

/** Whether a file or folder of this name is a part of a key. Temporary files are not: their names begin with a dot. */
export const isPartOfKey = (name: string): boolean => partOfKey.test(name);

/**
 * The path of the object's file. No key leads out of the folder: each part consists of letters, digits and `._-` and does not begin with a dot.
 * @throws for any other key
 */
export function pathOf(root: string, key: string): string {
  if (!key.split('/').every(isPartOfKey)) throw new Error(`Not a key of this storage: ${JSON.stringify(key)}`);
  return join(root, key);
}
