import { S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from '../settings.ts';

/** Time limit in milliseconds for a pause of a download, whether the storage or the client causes it. */
const socketTimeout = 60_000;

/**
 * Creates an S3 client. Each upload and each download uses one connection while it runs.
 * @param maxSockets maximum number of connections; further requests wait for one
 */
export function createClient(settings: S3Settings, maxSockets: number): S3Client {
  return new S3Client({
    endpoint: settings.STORAGE_ENDPOINT,
    region: settings.STORAGE_REGION,
    forcePathStyle: settings.STORAGE_FORCE_PATH_STYLE,
    credentials: { accessKeyId: settings.STORAGE_ACCESS_KEY_ID, secretAccessKey: settings.STORAGE_SECRET_ACCESS_KEY },
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: settings.STORAGE_CONNECT_TIMEOUT_SECONDS * 1000,
      // To send a request and receive the headers of its response.
      requestTimeout: settings.STORAGE_TIMEOUT_SECONDS * 1000,
      throwOnRequestTimeout: true,
      socketTimeout,
      httpAgent: { maxSockets },
      httpsAgent: { maxSockets },
    },
  });
}
