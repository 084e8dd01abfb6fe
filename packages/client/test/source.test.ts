import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ProfileClientOptions, UploadOptions } from '../src/index.ts';
import { startStub, succeeded } from './stub.ts';

/** A file of 4 MiB, which fits no buffer of a connection. */
let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'profile-source-'));
  path = join(folder, 'a.pdf');
  await writeFile(path, Buffer.alloc(4 * 1024 * 1024));
});
afterAll(() => rm(folder, { recursive: true }));

const tooLarge = () => Promise.resolve(Response.json({ message: 'Too large' }, { status: 413 }));

test.each<[string, Partial<ProfileClientOptions>, UploadOptions]>([
  ['the token fails', { token: () => Promise.reject(new Error('logged out')) }, {}],
  ['the response arrives before the file was read', { fetch: tooLarge }, {}],
  ['the service cannot be reached', { url: 'http://127.0.0.1:1' }, {}],
  ['the signal has aborted', {}, { signal: AbortSignal.abort() }],
  ['onProgress throws', {}, { onProgress: () => expect.unreachable('stop') }],
  ['the idempotency key is no header value', {}, { idempotencyKey: 'a\nb' }],
])('an upload closes its source if %s', async (_when, options, transfer) => {
  const stub = await startStub(succeeded);
  const failOf = (source: unknown) =>
    expect(stub.client(options).attachments.upload(source as Blob, {}, transfer)).rejects.toMatchObject({ name: 'ProfileError' });

  const file = createReadStream(path);
  await failOf(file);
  expect(file.destroyed).toBe(true);
  await vi.waitFor(() => expect(file.closed).toBe(true));

  const generator = (async function* () {
    for (;;) yield new Uint8Array(1024 * 1024);
  })();
  await failOf(generator);
  expect(await generator.next()).toEqual({ done: true, value: undefined });

  const cancel = vi.fn<() => void>();
  const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(1024 * 1024));
  await failOf(new ReadableStream<Uint8Array>({ pull, cancel }));
  await vi.waitFor(() => expect(cancel).toHaveBeenCalled());
});
