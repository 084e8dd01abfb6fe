import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The file beside the bundle that holds the script of the API reference. */
export const scriptName = 'scalar.js';

/** Returns the path of Scalar's script in its package. The service serves it itself, so that the page needs no other host. */
export const scriptPath = (): string =>
  fileURLToPath(import.meta.resolve('@scalar/api-reference')).replace(/index\.js$/, 'browser/standalone.js');

/** Reads the script: in production the file beside the bundle, otherwise that of the package. */
export const readScript = (): Promise<Buffer> =>
  readFile(new URL(scriptName, import.meta.url)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return readFile(scriptPath());
    throw error;
  });
