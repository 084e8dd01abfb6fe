import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { Settings } from '../settings.ts';

/** The object storage. Files come with the attachments; until then it is watched for the health report. */
export interface Storage {
  /** Throws where the bucket cannot be reached. */
  check(): Promise<void>;
  close(): void;
}

/** @param onCall told of every call, in seconds */
export function createStorage(settings: Settings, onCall: (operation: string, ok: boolean, seconds: number) => void): Storage {
  const client = new S3Client({
    endpoint: settings.STORAGE_ENDPOINT,
    region: settings.STORAGE_REGION,
    forcePathStyle: settings.STORAGE_FORCE_PATH_STYLE,
    credentials: { accessKeyId: settings.STORAGE_ACCESS_KEY_ID, secretAccessKey: settings.STORAGE_SECRET_ACCESS_KEY },
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 2_000, requestTimeout: 10_000 },
  });
  async function call<T>(operation: string, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    let ok = false;
    try {
      const result = await work();
      ok = true;
      return result;
    } finally {
      onCall(operation, ok, (performance.now() - startedAt) / 1000);
    }
  }

  return {
    async check() {
      const bucket = new HeadBucketCommand({ Bucket: settings.STORAGE_BUCKET });
      await call('check', () => client.send(bucket, { abortSignal: AbortSignal.timeout(3_000) }));
    },
    close: () => client.destroy(),
  };
}
