import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { createProfileClient, type DownloadOptions, type Progress } from '../src/index.ts';
import { startStub, succeeded } from './stub.ts';

type Respond = (signal: AbortSignal | null | undefined) => Response;

/** Starts a download of this response. */
const downloadOf = (response: Response | Respond, options?: DownloadOptions) => {
  const respond: Respond = typeof response === 'function' ? response : () => response;
  const fetch = (_url: unknown, init?: RequestInit) => Promise.resolve(respond(init?.signal));
  return createProfileClient({ url: 'http://service', token: 'token', maxAttempts: 1, fetch }).attachments.download('1', options);
};

/** A body of 3 bytes that stalls after them. `cancel` fires when it is cancelled. */
function stalled() {
  const events = new EventTarget();
  const start = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(3));
  const body = new ReadableStream({ start, cancel: () => void events.dispatchEvent(new Event('cancel')) });
  return { response: new Response(body), cancelled: once(events, 'cancel') };
}

test('a download that stalls is cancelled at once', async () => {
  const { response, cancelled } = stalled();
  const reader = (await downloadOf(response)).body.getReader();
  expect(await reader.read()).toMatchObject({ value: { length: 3 } });
  void reader.read();
  await reader.cancel();
  await cancelled;
});

test('a download whose onProgress throws fails with CLIENT_ERROR, and is cancelled', async () => {
  const { response, cancelled } = stalled();
  const onProgress = () => {
    throw new Error('no bar');
  };
  await expect((await downloadOf(response, { onProgress })).bytes()).rejects.toMatchObject({ code: 'CLIENT_ERROR', message: 'no bar' });
  await cancelled;
});

test('a download that breaks off is CONNECTION_FAILED, and ABORTED after an abort', async () => {
  const breaking: Respond = (signal) => {
    const start = (controller: ReadableStreamDefaultController) => {
      const fail = () => controller.error(new TypeError('network error'));
      controller.enqueue(new Uint8Array(3));
      if (signal) signal.addEventListener('abort', fail);
      else fail();
    };
    return new Response(new ReadableStream({ start }));
  };
  await expect((await downloadOf(breaking)).bytes()).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
  const abort = new AbortController();
  const aborted = (await downloadOf(breaking, { signal: abort.signal })).blob();
  abort.abort();
  await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
});

test('a download is read once, and looking at `body` does not count', async () => {
  const file = await downloadOf(new Response(new Uint8Array(3), { headers: { 'content-type': 'application/pdf' } }));
  expect(file.body.locked).toBe(false);
  expect(await file.blob()).toMatchObject({ size: 3, type: 'application/pdf' });
  expect({ ...file }).toHaveProperty('body');
  await expect(file.bytes()).rejects.toThrow(TypeError);
});

test.each([
  ['with', { 'content-length': '3' }, { size: 3 }, { loaded: 3, total: 3 }],
  ['without', {}, {}, { loaded: 3 }],
])('a download reports its progress %s Content-Length', async (_with, headers, size, progress) => {
  const onProgress = vi.fn<(progress: Progress) => void>();
  const { bytes, ...file } = await downloadOf(new Response(new Uint8Array(3), { headers }), { onProgress });
  expect('size' in file ? { size: file.size } : {}).toEqual(size);
  expect(await bytes()).toEqual(new Uint8Array(3));
  expect(onProgress.mock.lastCall).toEqual([progress]);
});

test.each([
  ["attachment; filename*=UTF-8''%C3%A4.pdf", 'ä.pdf'],
  ['attachment; filename="plain.pdf"; filename*=UTF-8\'\'%E0%A4%A', 'plain.pdf'],
  ["attachment; filename*=UTF-8''%E0%A4%A", 'file'],
])('a download with the header %j has the file name %j', async (disposition, filename) => {
  const stub = await startStub({ ...succeeded, headers: { 'content-disposition': disposition } });
  expect((await stub.client().attachments.download('1')).filename).toBe(filename);
});

test('the body of a 401 is read before the next attempt, so that its connection is free', async () => {
  const rejected = new Response('{}', { status: 401 });
  const fetch = vi.fn<typeof globalThis.fetch>().mockResolvedValueOnce(rejected).mockResolvedValue(new Response('x'));
  const token = ({ rejected: old }: { rejected?: string }) => (old ? 'new' : 'old');
  await createProfileClient({ url: 'http://service', token, fetch }).attachments.download('1');
  expect(rejected.bodyUsed).toBe(true);
});
