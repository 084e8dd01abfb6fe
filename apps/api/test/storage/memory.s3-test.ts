import { afterAll, beforeAll } from 'vitest';
import { testFileMemory } from '../support/file-memory.ts';
import { type ServiceProcess, startProcess } from '../support/process.ts';
import { useWorld } from '../support/world.ts';

/** 1 GiB, unless UPLOAD_MIB sets a smaller size. */
const size = Number(process.env['UPLOAD_MIB'] ?? 1024) * 1024 ** 2;

const world = useWorld();
let service: ServiceProcess;
beforeAll(async () => {
  service = await startProcess({ ...world.environment, ATTACHMENT_MAX_BYTES: String(size) });
});
afterAll(async () => {
  await service.stop();
});

testFileMemory('an S3 endpoint', size, () => ({ service, token: world.global.token ?? '' }));
