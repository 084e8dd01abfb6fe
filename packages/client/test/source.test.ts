import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
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

const refuse = () => Promise.resolve(Response.json({ message: 'Too large' }, { status: 413 }));
const failures: [string, Partial<ProfileClientOptions>, UploadOptions][] = [
  ['the token fails', { token: () => Promise.reject(new Error('logged out')) }, {}],
  ['the response arrives before the file was read', { fetch: refuse }, {}],
  ['the service cannot be reached', { url: 'http://127.0.0.1:1' }, {}],
  ['the signal has aborted', {}, { signal: AbortSignal.abort() }],
  ['onProgress throws', {}, { onProgress: () => expect.unreachable('stop') }],
  ['the idempotency key is no header value', {}, { idempotencyKey: 'a\nb' }],
];

describe.each(failures)('if %s', (_when, options, transfer) => {
  const failOf = async (source: AsyncIterable<Uint8Array>) => {
    const stub = await startStub(succeeded);
    await expect(stub.client(options).attachments.upload(source, {}, transfer)).rejects.toMatchObject({ name: 'ProfileError' });
  };

  test('the upload of a file stream closes the file', async () => {
    const file = createReadStream(path);
    await failOf(file);
    expect(file.destroyed).toBe(true);
    await vi.waitFor(() => expect(file.closed).toBe(true));
  });

  test('the upload of a generator ends it', async () => {
    const source = (async function* () {
      for (;;) yield new Uint8Array(1024 * 1024);
    })();
    await failOf(source);
    expect(await source.next()).toEqual({ done: true, value: undefined });
  });

  test('the upload of a web stream cancels it', async () => {
    const cancel = vi.fn<() => void>();
    const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(1024 * 1024));
    await failOf(new ReadableStream<Uint8Array>({ pull, cancel }) as unknown as AsyncIterable<Uint8Array>);
    await vi.waitFor(() => expect(cancel).toHaveBeenCalled());
  });
});
