/** Throws the error of a file operation, unless the target exists. `rename` to a folder with files fails with ENOTEMPTY, and on XFS with EEXIST. */
export function unlessExists(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST' && error.code !== 'ENOTEMPTY') throw error;
}
