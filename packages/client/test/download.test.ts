import { once } from 'node:events';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createProfileClient, type DownloadOptions } from '../src/index.ts';

afterEach(() => void vi.restoreAllMocks());

/** Starts a download of this response. */
const downloadOf = (response: Response, options?: DownloadOptions) =>
  createProfileClient({
    url: 'http://service',
    token: 'token',
    maxAttempts: 1,
    fetch: () => Promise.resolve(response),
  }).attachments.download('1', options);

/** A body of 3 bytes that stalls after them. `cancel` fires when it is cancelled. */
function stalled() {
  const events = new EventTarget();
  const start = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(3));
  const body = new ReadableStream({ start, cancel: () => void events.dispatchEvent(new Event('cancel')) });
  return { response: new Response(body), cancelled: once(events, 'cancel') };
}

describe('a download', () => {
  test('that stalls is cancelled at once', async () => {
    const { response, cancelled } = stalled();
    const reader = (await downloadOf(response)).body.getReader();
    expect(await reader.read()).toMatchObject({ value: { length: 3 } });
    void reader.read();
    await reader.cancel();
    await cancelled;
  });

  test('whose onProgress throws fails with CLIENT_ERROR, and is cancelled', async () => {
    const { response, cancelled } = stalled();
    const onProgress = () => {
      throw new Error('no bar');
    };
    await expect((await downloadOf(response, { onProgress })).bytes()).rejects.toMatchObject({ code: 'CLIENT_ERROR', message: 'no bar' });
    await cancelled;
  });

  test('has the same content after `body` was looked at, and with progress', async () => {
    const looked = await downloadOf(new Response(new Uint8Array(3), { headers: { 'content-type': 'application/pdf' } }));
    expect(looked.body.locked).toBe(false);
    expect(await looked.blob()).toMatchObject({ size: 3, type: 'application/pdf' });
    const loaded: number[] = [];
    const counted = await downloadOf(new Response(new Uint8Array(3)), { onProgress: (progress) => loaded.push(progress.loaded) });
    expect(await counted.bytes()).toEqual(new Uint8Array(3));
    expect(loaded).toEqual([3]);
  });

  test('can be read once', async () => {
    const file = await downloadOf(new Response(new Uint8Array(3)));
    await file.bytes();
    await expect(file.bytes()).rejects.toThrow(TypeError);
    expect({ ...file }).toHaveProperty('body');
    await expect(file.blob()).rejects.toThrow(TypeError);
  });
});

test('the body of a 401 is read before the next attempt, so that its connection is free', async () => {
  const rejected = new Response('{}', { status: 401 });
  const fetch = vi.fn<typeof globalThis.fetch>().mockResolvedValueOnce(rejected).mockResolvedValue(new Response('x'));
  const token = ({ rejected: old }: { rejected?: string }) => (old ? 'new' : 'old');
  await createProfileClient({ url: 'http://service', token, fetch }).attachments.download('1');
  expect(rejected.bodyUsed).toBe(true);
});
