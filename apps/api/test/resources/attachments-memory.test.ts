import { afterAll, beforeAll, describe } from 'vitest';
import { testFileMemory } from '../support/file-memory.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { startStubS3, type StubS3 } from '../../../../test/storage/stub-s3.ts';
import { startWorld, type World } from '../support/world.ts';

/** `UPLOAD_MIB=1024 vitest run --project api attachments-memory` uses a file of 1 GiB. */
const size = Number(process.env['UPLOAD_MIB'] ?? 128) * 1024 ** 2;

let world: World;
let s3: StubS3;
let services: Record<'a folder' | 'S3', ServiceProcess>;
beforeAll(async () => {
  [world, s3] = await Promise.all([startWorld(), startStubS3()]);
  const environment = { ...world.environment, ATTACHMENT_MAX_BYTES: String(size) };
  const [folder, bucket] = await Promise.all([startProcess(environment), startProcess({ ...environment, ...s3.settings })]);
  services = { 'a folder': folder, S3: bucket };
});
afterAll(async () => {
  await Promise.all(Object.values(services).map((service) => service.stop()));
  await Promise.all([world.stop(), s3.stop()]);
});

describe.each(['a folder', 'S3'] as const)('with %s', (backend) => {
  testFileMemory(backend, size, () => ({ service: services[backend], token: world.global.token ?? '' }));
});
