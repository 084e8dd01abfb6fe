import { afterEach, expect, test } from 'vitest';
import type { Toxic } from '../../../../scripts/storage/toxiproxy.ts';
import { content } from '../support/files.ts';
import { useFaultyStorage } from './faulty-storage.ts';
import { large } from './transfers.ts';

const mib = 1024 ** 2;
const small = content('application/pdf', 100_000);
const storage = useFaultyStorage();
afterEach(() => storage.toxiproxy.reset());

test.each<[string, Omit<Toxic, 'stream'>]>([
  ['a latency of 300 ms', { type: 'latency', attributes: { latency: 300 } }],
  ['a bandwidth of 2 MiB/s', { type: 'bandwidth', attributes: { rate: 2048 } }],
])('with %s, files are stored, returned and deleted', async (_fault, toxic) => {
  for (const stream of ['upstream', 'downstream'] as const) await storage.toxiproxy.add({ ...toxic, stream });
  await expect(storage.expectTransfer()).resolves.toBeUndefined();
});

test.each<[string, Toxic]>([
  ['are reset', { type: 'reset_peer', stream: 'upstream', attributes: { timeout: 0 } }],
  ['are reset before the response', { type: 'reset_peer', stream: 'downstream', attributes: { timeout: 0 } }],
  ['are cut after 3 MiB', { type: 'limit_data', stream: 'upstream', attributes: { bytes: 3 * mib } }],
  ['have a bandwidth of 64 KiB/s', { type: 'bandwidth', stream: 'upstream', attributes: { rate: 64 } }],
  ['hang', { type: 'timeout', stream: 'upstream', attributes: { timeout: 0 } }],
])('an upload whose connections to the storage %s gets 400 and leaves nothing, and the next one succeeds', async (_fault, toxic) => {
  const before = await storage.stored();
  await storage.toxiproxy.add(toxic);
  expect(await storage.files.upload(large)).toMatchObject({ status: 400, code: 'FailedToUploadFileError' });
  await storage.toxiproxy.reset();
  expect(await storage.stored()).toEqual(before);
  await storage.expectRecovery();
});

test('while connections hang, a download gets 400, a deletion is 204, and the health check reports the storage', async () => {
  const { files, toxiproxy, health } = storage;
  const { id } = (await files.upload(small)).body;
  await toxiproxy.add({ type: 'timeout', stream: 'downstream', attributes: { timeout: 0 } });
  expect(await files.download(id)).toMatchObject({ status: 400, code: 'FailedToDownloadFileError' });
  const reason = 'The storage does not respond in time: check its load and the network.';
  await expect.poll(health).toEqual({ code: 200, status: 'degraded', storage: 'down', reason });
  expect((await files.remove(id)).status).toBe(204);
  expect((await files.download(id)).code).toBe('ATTACHMENT_NOT_FOUND');
  await storage.expectRecovery();
});
