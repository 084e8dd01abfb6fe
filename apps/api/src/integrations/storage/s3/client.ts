import { S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from '../settings.ts';

/**
 * Limits in milliseconds: for a connection, for the head of a response (including the part of an upload that goes before it), and for a pause
 * within a download, whether the storage or the client causes it.
 */
const limits = { connectionTimeout: 2_000, requestTimeout: 10_000, throwOnRequestTimeout: true, socketTimeout: 60_000 };

/**
 * The SDK's client for the storage that the settings name. Each upload and each download takes a connection while it runs.
 * @param maxSockets most connections at once; further requests wait for one
 */
export function createClient(settings: S3Settings, maxSockets: number): S3Client {
  return new S3Client({
    endpoint: settings.STORAGE_ENDPOINT,
    region: settings.STORAGE_REGION,
    forcePathStyle: settings.STORAGE_FORCE_PATH_STYLE,
    credentials: { accessKeyId: settings.STORAGE_ACCESS_KEY_ID, secretAccessKey: settings.STORAGE_SECRET_ACCESS_KEY },
    maxAttempts: 2,
    requestHandler: { ...limits, httpAgent: { maxSockets }, httpsAgent: { maxSockets } },
  });
}
