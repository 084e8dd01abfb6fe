import { DeleteBucketCommand, HeadBucketCommand } from '@aws-sdk/client-s3';
import { checkBucket, createClient, createS3Storage } from '@profile-service/storage/s3';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Gateway, startGateway } from '../../../../scripts/storage/gateway.ts';
import { createApi } from '../support/api.ts';
import { form, pdf } from '../support/files.ts';
import { readS3Settings } from '../../../../test/storage/stored-objects.ts';
import { pemFileOf } from '../support/tls-proxy.ts';
import { startWorld, type World } from '../support/world.ts';
import { startObserved } from './services.ts';

const region = 'sa-east-1';

let gateway: Gateway;
let tlsGateway: Gateway;
let world: World;
beforeAll(async () => {
  [gateway, tlsGateway] = await Promise.all([startGateway({ region }), startGateway({ pemFile: pemFileOf('localhost') })]);
  world = await startWorld(gateway.settings);
});
afterAll(async () => {
  await world.stop();
  await Promise.all([gateway.stop(), tlsGateway.stop()]);
});

const inBucket = (STORAGE_BUCKET: string, settings = gateway.settings) => ({ ...settings, STORAGE_BUCKET });
const ok = { code: 200, status: 'ok', storage: 'ok', reason: undefined };
const degraded = (reason: string) => ({ code: 200, status: 'degraded', storage: 'down', reason });
const upload = (url: string) => createApi(url).call(world.global, 'POST /api/attachments', form(['file', pdf()]));
const missing = 'The bucket STORAGE_BUCKET does not exist: create it or correct the name.';

describe('a missing bucket', () => {
  test('is created at the start and logged once', async () => {
    const { service, health, logged } = await startObserved(world, inBucket('created-at-start'));
    expect(await health()).toEqual(ok);
    expect((await upload(service.url)).status).toBe(201);
    expect(logged().filter((line) => line.includes('bucket'))).toEqual(['the storage bucket was created']);
    const next = await startObserved(world, inBucket('created-at-start'));
    expect(next.logged().filter((line) => line.includes('bucket'))).toEqual([]);
  });

  test('is created once by instances that start at the same time', async () => {
    const onCreated = vi.fn<() => void>();
    const storages = Array.from({ length: 10 }, () => createS3Storage(readS3Settings(inBucket('created-by-one')), onCreated));
    // Each of them finds no bucket before the first one creates it.
    await Promise.all(storages.map((storage) => storage.check()));
    expect(onCreated).toHaveBeenCalledTimes(1);
    for (const storage of storages) storage.close();
  });

  test('that the key may not create is reported until somebody creates it', async () => {
    const limited = await gateway.addLimitedKey();
    const reason = 'The bucket STORAGE_BUCKET does not exist, and the key may not create it: create it or correct the name.';
    const { service, health, logged } = await startObserved(world, inBucket('forbidden', limited));
    expect(await health()).toEqual(degraded(reason));
    expect(await upload(service.url)).toMatchObject({ status: 400, code: 'FailedToUploadFileError' });
    expect(logged()).toContain(`storage is down: ${reason}`);
    await startObserved(world, inBucket('forbidden'));
    const forbidden =
      'The key in STORAGE_ACCESS_KEY_ID may not list STORAGE_BUCKET: give it the permissions on the bucket and on its objects.';
    await expect.poll(health).toEqual(degraded(forbidden));
  });

  test('that was deleted after the start is reported and not created again', async () => {
    const { health } = await startObserved(world, inBucket('deleted-later'));
    const settings = readS3Settings(inBucket('deleted-later'));
    const [client, storage] = [createClient(settings, 1), createS3Storage(settings)];
    await storage.check();
    await client.send(new DeleteBucketCommand({ Bucket: 'deleted-later' }));
    await expect.poll(health).toEqual(degraded(missing));
    await expect(storage.check()).rejects.toThrow(missing);
    await expect(storage.has('a.pdf')).rejects.toThrow(missing);
    await expect(client.send(new HeadBucketCommand({ Bucket: 'deleted-later' }))).rejects.toThrow(/NotFound|Unknown/);
    storage.close();
    client.destroy();
  });
});

const wrong = (setting: Record<string, string>) => () => ({ ...gateway.settings, ...setting });
const inRegion = `The storage is in the region ${region}: set STORAGE_REGION to it, and correct STORAGE_ENDPOINT if that names a region.`;
const unreachable = 'The storage cannot be reached (ECONNREFUSED): check that it runs, and STORAGE_ENDPOINT.';
const untrusted = 'The storage’s certificate is not accepted: add its authority with NODE_EXTRA_CA_CERTS.';
const badSignature = 'The storage rejects the signature: correct STORAGE_SECRET_ACCESS_KEY.';
const unknownKey = 'The storage does not know the key: correct STORAGE_ACCESS_KEY_ID.';
test.each<[string, () => Record<string, string>, string]>([
  ['a wrong secret', wrong({ STORAGE_SECRET_ACCESS_KEY: 'guess' }), badSignature],
  ['an unknown key', wrong({ STORAGE_ACCESS_KEY_ID: 'nobody' }), unknownKey],
  ['another region', wrong({ STORAGE_REGION: 'us-east-1' }), inRegion],
  ['an invalid bucket name', wrong({ STORAGE_BUCKET: 'No_Such_Bucket' }), 'STORAGE_BUCKET is no valid name of a bucket: correct it.'],
  ['a certificate of an unknown authority', () => tlsGateway.settings, untrusted],
  ['no server at the endpoint', wrong({ STORAGE_ENDPOINT: 'http://127.0.0.1:1' }), unreachable],
])('%s is reported in one sentence, and uploads get 400', async (_fault, settings, reason) => {
  const { service, health, logged } = await startObserved(world, settings());
  expect(await health()).toEqual(degraded(reason));
  expect(logged().filter((line) => line.startsWith('storage is down'))).toEqual([`storage is down: ${reason}`]);
  expect(await upload(service.url)).toMatchObject({ status: 400, code: 'FailedToUploadFileError' });
});

test('a check passes although the clock of this machine is an hour ahead, because the client corrects it', async () => {
  const settings = readS3Settings(gateway.settings);
  const client = createClient(settings, 1);
  client.config.systemClockOffset = 60 * 60_000;
  await expect(checkBucket(client, settings.STORAGE_BUCKET)).resolves.toBeUndefined();
  client.destroy();
});
