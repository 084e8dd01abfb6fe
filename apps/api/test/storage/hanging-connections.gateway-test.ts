import { afterEach, expect, test } from 'vitest';
import type { Toxic } from '../../../../scripts/storage/toxiproxy.ts';
import { content } from '../support/files.ts';
import { useFaultyStorage } from './faulty-storage.ts';

const small = content('application/pdf', 100_000);
const storage = useFaultyStorage();
afterEach(() => storage.toxiproxy.reset());

test.each<[string, Toxic]>([
  ['have a bandwidth of 64 KiB/s', { type: 'bandwidth', stream: 'upstream', attributes: { rate: 64 } }],
  ['hang', { type: 'timeout', stream: 'upstream', attributes: { timeout: 0 } }],
])('an upload whose connections to the storage %s gets 400 and leaves nothing, and the next one succeeds', async (_fault, toxic) => {
  const { response, before, after } = await storage.uploadDuring(toxic);
  expect(response).toEqual({ status: 400, code: 'FailedToUploadFileError' });
  expect(after).toEqual(before);
  await storage.expectRecovery();
});

test('a download that begins while connections hang gets 400, and the health check reports the storage', async () => {
  const { files, toxiproxy, health } = storage;
  const { body } = await files.upload(small);
  await toxiproxy.add({ type: 'timeout', stream: 'downstream', attributes: { timeout: 0 } });
  expect(await files.download(body.id)).toMatchObject({ status: 400, code: 'FailedToDownloadFileError' });
  const reason = 'The storage does not respond in time: check its load and the network.';
  await expect.poll(health).toEqual({ code: 200, status: 'degraded', storage: 'down', reason });
  await storage.expectRecovery();
});

test('a deletion while connections hang is 204, and the file is gone for callers', async () => {
  const { files, toxiproxy } = storage;
  const { body } = await files.upload(small);
  await toxiproxy.add({ type: 'timeout', stream: 'upstream', attributes: { timeout: 0 } });
  expect((await files.remove(body.id)).status).toBe(204);
  expect((await files.download(body.id)).code).toBe('ATTACHMENT_NOT_FOUND');
  await storage.expectRecovery();
});
