import { resolve } from 'node:path';
import { z } from 'zod';

const requiredForS3 = ['STORAGE_ENDPOINT', 'STORAGE_BUCKET', 'STORAGE_ACCESS_KEY_ID', 'STORAGE_SECRET_ACCESS_KEY'] as const;
const ofS3 = [...requiredForS3, 'STORAGE_REGION', 'STORAGE_FORCE_PATH_STYLE'];

/** The settings that choose the object storage: a folder, or a bucket of S3. `findStorageFaults` says which ones are required. */
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
};

/** The settings of a storage in a folder. */
export interface FolderSettings {
  STORAGE_DIR: string;
}

/** The settings of a storage in a bucket. */
export interface S3Settings extends Record<(typeof requiredForS3)[number], string> {
  STORAGE_DIR?: undefined;
  STORAGE_REGION: string;
  STORAGE_FORCE_PATH_STYLE: boolean;
}

/** Whether any setting names an object storage. */
export const namesStorage = (given: Record<string, string | undefined>): boolean =>
  ['STORAGE_DIR', ...ofS3].some((name) => given[name] !== undefined);

/** Checks that the settings name one object storage and name it completely. @returns one line for each fault */
export function findStorageFaults(given: Record<string, string | undefined>): string[] {
  if (given['STORAGE_DIR'] !== undefined) {
    const both = ofS3.filter((name) => given[name] !== undefined);
    return both.length === 0 ? [] : [`STORAGE_DIR and ${both.join(', ')} are set: choose a folder or S3, not both`];
  }
  const missing = requiredForS3.filter((name) => given[name] === undefined);
  if (missing.length === requiredForS3.length) return [`${requiredForS3.join(', ')} or STORAGE_DIR is not set`];
  return missing.map((name) => `${name} is not set`);
}
