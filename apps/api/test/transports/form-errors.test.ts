import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createFolderStorage } from '@profile-service/storage';
import { expect, test, vi } from 'vitest';
import { listen } from '../../../../test/listen.ts';
import type { ReceiveFile } from '../../src/request/files.ts';
import { createAttachmentFiles } from '../../src/resources/attachment-files.ts';
import { readForm } from '../../src/transports/rest/form.ts';
import { form, pdf } from '../support/files.ts';

/** Sends a form. @returns the error of `readForm` */
async function failureOf(receive: ReceiveFile, init: RequestInit = { body: form(['file', pdf()]) }): Promise<unknown> {
  const failure = Promise.withResolvers<unknown>();
  const server = createServer((request, response) => {
    const read = readForm(request, receive, 1_000, false);
    failure.resolve(read.catch((error: unknown) => error).finally(() => response.end()));
  });
  const port = await listen(server);
  await fetch(`http://127.0.0.1:${port}`, { method: 'POST', ...init });
  server.close();
  return failure.promise;
}

const bug = new TypeError('x is not a function');

test('a bug in the storing of a file is no invalid form, and one in its content is no failure of the storage', async () => {
  expect(await failureOf(() => Promise.reject(bug))).toBe(bug);
  const content = (async function* () {
    yield Buffer.from('%PDF-1.7');
    throw bug;
  })();
  const put = async (_key: string, read: AsyncIterable<Uint8Array>) => void (await buffer(read));
  const storage = { ...createFolderStorage('/missing', 1), put };
  const file = { filename: 'a.pdf', contentType: 'application/pdf', fields: {}, content };
  await expect(createAttachmentFiles(storage, 'attachments').receive(file)).rejects.toBe(bug);
});

test('the parser handles at most 18 of thousands of malformed parts', async () => {
  const emit = vi.spyOn(EventEmitter.prototype, 'emit');
  const init = { body: '--b\r\n\r\n\r\n'.repeat(10_000), headers: { 'content-type': 'multipart/form-data; boundary=b' } };
  expect(await failureOf(() => Promise.reject(bug), init)).toMatchObject({ code: 'VALIDATION_FAILED' });
  const malformed = emit.mock.calls.filter(([name, error]) => name === 'error' && String(error).includes('Malformed part header'));
  emit.mockRestore();
  expect(malformed.length).toBeGreaterThan(0);
  expect(malformed.length).toBeLessThanOrEqual(18);
});
