import { afterEach, describe, expect, test } from 'vitest';
import type { Toxic } from '../../../../scripts/storage/toxiproxy.ts';
import { useFaultyStorage } from './faulty-storage.ts';
import { large } from './transfers.ts';

const mib = 1024 ** 2;
const storage = useFaultyStorage();
afterEach(() => storage.toxiproxy.reset());

describe.each<[string, Toxic[]]>([
  [
    'a latency of 300 ms',
    (['upstream', 'downstream'] as const).map((stream) => ({ type: 'latency', stream, attributes: { latency: 300 } })),
  ],
  [
    'a bandwidth of 2 MiB/s',
    (['upstream', 'downstream'] as const).map((stream) => ({ type: 'bandwidth', stream, attributes: { rate: 2048 } })),
  ],
])('with %s', (_fault, toxics) => {
  test('files are stored, returned and deleted', async () => {
    for (const toxic of toxics) await storage.toxiproxy.add(toxic);
    const { status, body } = await storage.files.upload(large);
    expect(status).toBe(201);
    expect((await storage.files.download(body.id)).bytes.equals(large)).toBe(true);
    expect((await storage.files.remove(body.id)).status).toBe(204);
  });
});

test.each<[string, Toxic]>([
  ['are reset', { type: 'reset_peer', stream: 'upstream', attributes: { timeout: 0 } }],
  ['are reset before the response', { type: 'reset_peer', stream: 'downstream', attributes: { timeout: 0 } }],
  ['are cut after 3 MiB', { type: 'limit_data', stream: 'upstream', attributes: { bytes: 3 * mib } }],
])('an upload whose connections to the storage %s gets 400 and leaves nothing, and the next one succeeds', async (_fault, toxic) => {
  const { response, before, after } = await storage.uploadDuring(toxic);
  expect(response).toEqual({ status: 400, code: 'FailedToUploadFileError' });
  expect(after).toEqual(before);
  await storage.expectRecovery();
});

test('a download whose connection to the storage is cut has a cut body, and the next one is complete', async () => {
  const { files, toxiproxy } = storage;
  const { body } = await files.upload(large);
  await toxiproxy.add({ type: 'limit_data', stream: 'downstream', attributes: { bytes: 2 * mib } });
  const response = await files.beginDownload(body.id);
  expect([response.statusCode, response.headers['content-length']]).toEqual([200, String(large.length)]);
  await expect(response.toArray()).rejects.toThrow('aborted');
  await storage.expectRecovery();
  expect((await files.download(body.id)).bytes.equals(large)).toBe(true);
});
