import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { requireSignature } from '../../src/resources/file-types.ts';

const checked = (content: AsyncIterable<Uint8Array>) => Readable.from(requireSignature(content, 'application/pdf')).toArray();

// Rules: ATTACHMENTS-5
test.each(['\uFEFF\r\n%PDF-1.7', `${' '.repeat(1_024)}%PDF-1.7`])('the signature of a PDF may arrive byte by byte: %j', async (text) => {
  const bytes = Readable.from(Array.from(Buffer.from(text), (byte) => Buffer.of(byte)));
  expect(Buffer.concat(await checked(bytes)).toString()).toBe(text);
});

test('a file without a signature is rejected after 1,029 bytes', async () => {
  let read = 0;
  const endless = async function* () {
    for (;;) {
      read += 1;
      yield Uint8Array.of(0x20);
    }
  };
  await expect(checked(endless())).rejects.toMatchObject({ code: 'InvalidAttachmentTypeError' });
  expect(read).toBe(1_029);
});
