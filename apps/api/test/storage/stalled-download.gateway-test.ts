import { expect, test } from 'vitest';
import { useFaultyStorage } from './faulty-storage.ts';
import { large } from './transfers.ts';

const storage = useFaultyStorage();

// In a file of its own: it waits for the time limit of a pause, 60 s, while other files run.
test('a download whose storage stops sending has a cut body', async () => {
  const { files, toxiproxy } = storage;
  const { body } = await files.upload(large);
  await toxiproxy.add({ type: 'bandwidth', stream: 'downstream', attributes: { rate: 512 } });
  const response = await files.beginDownload(body.id);
  await toxiproxy.add({ type: 'timeout', stream: 'downstream', attributes: { timeout: 0 } });
  await expect(response.toArray()).rejects.toThrow('aborted');
  await storage.expectRecovery();
  expect((await files.download(body.id)).bytes.equals(large)).toBe(true);
});
