import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createS3Storage } from '@profile-service/storage/s3';
import type { Storage } from '@profile-service/storage';
import { readS3Settings } from './stored-objects.ts';

/** Starts a server in place of S3. Returns a storage that uses its bucket `bucket`. @param extra further settings */
export async function startS3Storage(server: Server, extra: Record<string, string> = {}): Promise<Storage> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const settings = {
    STORAGE_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    STORAGE_BUCKET: 'bucket',
    STORAGE_ACCESS_KEY_ID: 'key',
    STORAGE_SECRET_ACCESS_KEY: 'secret',
    ...extra,
  };
  return createS3Storage(readS3Settings(settings));
}
