// Imports the AWS SDK, which takes 16 MB of memory: only code that certainly uses S3 imports this file.
export { checkBucket } from './bucket.ts';
export { createClient } from './client.ts';
export { createS3Storage } from './s3-storage.ts';
