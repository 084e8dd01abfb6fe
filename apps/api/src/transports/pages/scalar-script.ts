import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { compress, type Encoding } from './compression.ts';
import { hashOf, once, type StaticContent } from './static-content.ts';

/** The files that the build writes beside the bundle: the script of the API reference, compressed. */
export const compressedScripts = { br: 'scalar.js.br', gzip: 'scalar.js.gz' } as const;

/** Returns the path of Scalar's script in its package. The service serves it itself, so that the page needs no other host. */
export const scalarScriptPath = (): string =>
  fileURLToPath(import.meta.resolve('@scalar/api-reference')).replace(/index\.js$/, 'browser/standalone.js');

/** Loads the script of the API reference: in production what the build has compressed, otherwise the file of the package. */
export async function loadScalarScript(): Promise<StaticContent> {
  const read = (encoding: keyof typeof compressedScripts) => readFile(new URL(compressedScripts[encoding], import.meta.url));
  const built = await read('gzip').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (built) {
    // Few clients accept no compression, so the image does not contain the script uncompressed.
    const load = (encoding: Encoding) => (encoding === 'identity' ? promisify(gunzip)(built) : read(encoding));
    return { type: 'javascript', hash: hashOf(built), encoded: once(load) };
  }
  const script = await readFile(scalarScriptPath());
  return { type: 'javascript', hash: hashOf(script), encoded: once((encoding) => compress(script, encoding)) };
}
