import { S3Client } from '@aws-sdk/client-s3';
import type { Settings } from '../../settings.ts';

/**
 * Every wait has an end, in milliseconds: for a connection, for the head of an answer (the part of an upload that goes before it included),
 * and without a byte of a download, be it that the storage gives none or that the client takes none.
 */
const limits = { connectionTimeout: 2_000, requestTimeout: 10_000, throwOnRequestTimeout: true, socketTimeout: 60_000 };

/**
 * The SDK's client for the storage that the settings name. Uploads and downloads take a connection each for as long as they run.
 * @param maxSockets most connections at once; what is more waits for one
 */
export function createClient(settings: Settings, maxSockets: number): S3Client {
  return new S3Client({
    endpoint: settings.STORAGE_ENDPOINT,
    region: settings.STORAGE_REGION,
    forcePathStyle: settings.STORAGE_FORCE_PATH_STYLE,
    credentials: { accessKeyId: settings.STORAGE_ACCESS_KEY_ID, secretAccessKey: settings.STORAGE_SECRET_ACCESS_KEY },
    maxAttempts: 2,
    requestHandler: { ...limits, httpAgent: { maxSockets }, httpsAgent: { maxSockets } },
  });
}
