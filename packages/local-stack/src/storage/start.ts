import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { Blobs } from './blobs.ts';
import { makeBucket } from './buckets.ts';
import { openCatalog, type Catalog } from './catalog.ts';
import { createStorageServer } from './server.ts';

const region = 'us-east-1';

export interface StorageOptions {
  /** Folder that keeps the objects; made when absent. */
  dataDir: string;
  /** TCP port on 127.0.0.1; absent: a free one. */
  port?: number;
  /** Absent: `local`. */
  accessKeyId?: string;
  /** Absent: one that is made at the first start and kept in `dataDir`. */
  secretAccessKey?: string;
  /** Made when absent from the storage; by default `profile`. */
  bucket?: string;
}

export interface EmbeddedStorage {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Ends the server; requests under way are cut off. */
  stop(): Promise<void>;
}

/**
 * Starts an S3 server (path style, Signature Version 4) over `dataDir`, reachable from this machine alone. Objects are kept from start to start.
 * @throws when another process uses the folder, or the port is taken
 */
export async function startStorage(options: StorageOptions): Promise<EmbeddedStorage> {
  const { accessKeyId = 'local', bucket = 'profile', port = 0 } = options;
  const folder = resolve(options.dataDir);
  const catalog = openCatalog(folder);
  try {
    const secretAccessKey = options.secretAccessKey ?? (await keptSecret(join(folder, 'secret-access-key')));
    const store = { catalog, blobs: new Blobs(join(folder, 'blobs')) };
    await store.blobs.sweep(knownBlobs(catalog));
    makeBucket(store, bucket);
    const { server, settled } = createStorageServer(store, { accessKeyId, secretAccessKey }, region);
    await once(server.listen(port, '127.0.0.1'), 'listening');
    const stop = async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      await settled();
      catalog.close();
    };
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { endpoint, region, bucket, accessKeyId, secretAccessKey, stop };
  } catch (error) {
    catalog.close();
    throw error;
  }
}

async function keptSecret(file: string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept !== undefined) return kept;
  const secret = randomBytes(30).toString('base64url');
  await writeFile(file, secret, { mode: 0o600 });
  return secret;
}

const knownBlobs = ({ sql }: Catalog): Set<string> =>
  new Set(sql`select blob from object union all select blob from part`.all<{ blob: string }>().map((row) => row.blob));
