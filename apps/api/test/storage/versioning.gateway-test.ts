import { ListObjectVersionsCommand, PutBucketVersioningCommand, type S3Client } from '@aws-sdk/client-s3';
import { createClient } from '@profile-service/storage/s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../../../../scripts/storage/gateway.ts';
import { content, lookInto } from '../support/files.ts';
import { readS3Settings } from '../../../../test/storage/stored-objects.ts';
import { startWorld, type World } from '../support/world.ts';
import { cleanUp, transfers } from './transfers.ts';

let gateway: Gateway;
let world: World;
let client: S3Client;
const Bucket = 'profile-service';
beforeAll(async () => {
  gateway = await startGateway({ versioning: true });
  world = await startWorld(gateway.settings);
  client = createClient(readS3Settings(gateway.settings), 5);
  await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }));
});
afterAll(async () => {
  client.destroy();
  await world.stop();
  await gateway.stop();
});

/** The numbers of versions and of delete markers of an object. */
async function versionsOf(key: string) {
  const { Versions = [], DeleteMarkers = [] } = await client.send(new ListObjectVersionsCommand({ Bucket, Prefix: key }));
  return { versions: Versions.length, deleteMarkers: DeleteMarkers.length };
}

const unchanged = { removed: 0, aborted: 0, missing: { count: 0, ids: [] } };

test('a deletion hides the file and keeps its version, and the clean-up does not count it', async () => {
  const files = transfers(world, world.service.url);
  const bytes = content('application/pdf', 5000);
  const { id, filePath } = (await files.upload(bytes)).body;
  expect((await files.download(id)).bytes.equals(bytes)).toBe(true);
  expect((await files.remove(id)).status).toBe(204);
  expect((await files.download(id)).code).toBe('ATTACHMENT_NOT_FOUND');
  expect(await lookInto(world).keys()).toEqual([]);
  expect(await versionsOf(filePath)).toEqual({ versions: 1, deleteMarkers: 1 });
  expect(await cleanUp(world, 65)).toEqual(unchanged);
});

test('the clean-up hides a file without an attachment once, and keeps its version', async () => {
  const orphan = 'attachments/DOCUMENT/01936f2a-7c1e-7b44-9d5e-0a1b2c3d4e5f.pdf';
  await lookInto(world).put(orphan);
  expect(await cleanUp(world, 65)).toEqual({ ...unchanged, removed: 1 });
  expect(await cleanUp(world, 65)).toEqual(unchanged);
  expect(await versionsOf(orphan)).toEqual({ versions: 1, deleteMarkers: 1 });
});
