import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { describe, inject } from 'vitest';
import { observeStorage } from '../src/observe-storage.ts';
import { createClient } from '../src/s3/client.ts';
import { createS3Storage } from '../src/s3/s3-storage.ts';
import type { S3Settings } from '../src/settings.ts';
import { readS3Settings } from '../../../test/storage/stored-objects.ts';
import '../../../test/provided.ts';
import { storageContract } from './contract.ts';

const faults = {
  'a wrong secret': /signature|403/i,
  // versitygw answers 404 to a HEAD request of an unknown key.
  'an unknown key': /access[ _]?key|40[34]/i,
  'an invalid bucket name': /bucket/i,
  'no server at the endpoint': /ECONNREFUSED/,
};

describe('S3', () => {
  storageContract(faults, () => {
    const settings = readS3Settings(inject('s3Settings') ?? {});
    const client = createClient(settings, 10);
    const create = (changes: Partial<S3Settings> = {}) => observeStorage(createS3Storage({ ...settings, ...changes }), () => undefined);
    const storage = create();
    const unusable = {
      'a wrong secret': create({ STORAGE_SECRET_ACCESS_KEY: 'guess' }),
      'an unknown key': create({ STORAGE_ACCESS_KEY_ID: 'nobody' }),
      'an invalid bucket name': create({ STORAGE_BUCKET: 'No_Such_Bucket' }),
      'no server at the endpoint': create({ STORAGE_ENDPOINT: 'http://127.0.0.1:1' }),
    };
    return Promise.resolve({
      storage,
      unusable,
      async openUploads() {
        const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: settings.STORAGE_BUCKET }));
        return Uploads.map(({ Key = '' }) => Key);
      },
      stop() {
        for (const { close } of [storage, ...Object.values(unusable)]) close();
        client.destroy();
        return Promise.resolve();
      },
    });
  });
});
