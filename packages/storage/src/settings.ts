import { resolve } from 'node:path';
import { z } from 'zod';

const requiredForS3 = ['STORAGE_ENDPOINT', 'STORAGE_BUCKET', 'STORAGE_ACCESS_KEY_ID', 'STORAGE_SECRET_ACCESS_KEY'] as const;
const s3Settings = [...requiredForS3, 'STORAGE_REGION', 'STORAGE_FORCE_PATH_STYLE'];

/** The settings of the object storage: a folder, or a bucket of S3, and what it stores. `findStorageErrors` checks which ones are required. */
export const storageShape = {
  STORAGE_DIR: z
    .string()
    .transform((path) => resolve(path))
    .optional(),
  STORAGE_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  STORAGE_REGION: z.string().default('us-east-1'),
  STORAGE_BUCKET: z.string().optional(),
  STORAGE_ACCESS_KEY_ID: z.string().optional(),
  STORAGE_SECRET_ACCESS_KEY: z.string().optional(),
  STORAGE_FORCE_PATH_STYLE: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .default(true),
  // Timeouts and pool limits of S3. The service sends a failed request once more.
  STORAGE_CONNECT_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(30).default(2),
  STORAGE_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(50).default(10),
  STORAGE_POOL_MAX: z.coerce.number().int().min(1).max(10_000).default(200),
  STORAGE_DOWNLOAD_POOL_MAX: z.coerce.number().int().min(1).max(10_000).default(1_000),
  STORAGE_BASE_PATH: z
    .string()
    .transform((path) => path.replaceAll(/^\/+|\/+$/g, ''))
    .pipe(
      z
        .string()
        .regex(/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/, 'must be a path of letters, digits and . _ -, no part of which begins with a dot'),
    )
    .default('attachments'),
  // S3 copies at most 5 GiB in one request.
  ATTACHMENT_MAX_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .max(5 * 1024 ** 3)
    .default(25 * 1024 ** 2),
};

/** The settings of a folder as storage. */
interface FolderSettings {
  STORAGE_DIR: string;
}

/** The settings of an S3 bucket as storage. */
export interface S3Settings extends Record<(typeof requiredForS3)[number], string> {
  STORAGE_DIR?: undefined;
  STORAGE_REGION: string;
  STORAGE_FORCE_PATH_STYLE: boolean;
  STORAGE_CONNECT_TIMEOUT_SECONDS: number;
  STORAGE_TIMEOUT_SECONDS: number;
  STORAGE_POOL_MAX: number;
  STORAGE_DOWNLOAD_POOL_MAX: number;
}

/** The settings of an object storage. */
export type StorageSettings = (FolderSettings | S3Settings) & { STORAGE_BASE_PATH: string; ATTACHMENT_MAX_BYTES: number };

/** Whether any setting of the object storage is set. */
export const namesStorage = (settings: Record<string, string | undefined>): boolean =>
  ['STORAGE_DIR', ...s3Settings].some((name) => settings[name] !== undefined);

/** Checks that the settings of exactly one object storage are complete. @returns one line for each error */
export function findStorageErrors(settings: Record<string, string | undefined>): string[] {
  if (settings['STORAGE_DIR'] !== undefined) {
    const both = s3Settings.filter((name) => settings[name] !== undefined);
    return both.length === 0 ? [] : [`STORAGE_DIR and ${both.join(', ')} are set: choose a folder or S3, not both`];
  }
  const missing = requiredForS3.filter((name) => settings[name] === undefined);
  if (missing.length === requiredForS3.length) return [`${requiredForS3.join(', ')} or STORAGE_DIR is not set`];
  return missing.map((name) => `${name} is not set`);
}
