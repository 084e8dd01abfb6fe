import { S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from '../settings.ts';

/** Time limit in milliseconds for a pause of a download, whether the storage or the client causes it. */
const socketTimeout = 60_000;

/**
 * Creates an S3 client for copying and joining objects. It has no time limits of its own but the one to connect: each request has one that fits its file, and
 * its connection is silent meanwhile.
 */
export const createSlowClient = (settings: S3Settings): S3Client => create(settings, settings.STORAGE_POOL_MAX, 0, 0);

/**
 * Creates an S3 client. Each upload and each download uses one connection while it runs.
 * @param maxSockets maximum number of connections; further requests wait for one
 */
export const createClient = (settings: S3Settings, maxSockets: number): S3Client =>
  create(settings, maxSockets, settings.STORAGE_TIMEOUT_SECONDS * 1000, socketTimeout);

function create(settings: S3Settings, maxSockets: number, requestTimeout: number, pauseTimeout: number): S3Client {
  return new S3Client({
    endpoint: settings.STORAGE_ENDPOINT,
    region: settings.STORAGE_REGION,
    forcePathStyle: settings.STORAGE_FORCE_PATH_STYLE,
    credentials: { accessKeyId: settings.STORAGE_ACCESS_KEY_ID, secretAccessKey: settings.STORAGE_SECRET_ACCESS_KEY },
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: settings.STORAGE_CONNECT_TIMEOUT_SECONDS * 1000,
      // To send a request and receive the headers of its response.
      requestTimeout,
      throwOnRequestTimeout: true,
      socketTimeout: pauseTimeout,
      httpAgent: { maxSockets },
      httpsAgent: { maxSockets },
    },
  });
}
