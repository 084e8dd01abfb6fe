import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { requireSignature } from '../../src/resources/file-types.ts';

/** Passes the text on byte by byte. */
async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  for (const byte of Buffer.from(text)) yield Uint8Array.of(byte);
}

// Rules: ATTACHMENTS-5
test.each(['\uFEFF\r\n%PDF-1.7', `${' '.repeat(1_024)}%PDF-1.7`])('the signature of a PDF may arrive byte by byte: %j', async (text) => {
  expect(Buffer.concat(await Readable.from(requireSignature(bytesOf(text), 'application/pdf')).toArray())).toEqual(Buffer.from(text));
});

test('a file without a signature is rejected after 1,029 bytes', async () => {
  let read = 0;
  const endless = async function* () {
    for (;;) {
      read += 1;
      yield Uint8Array.of(0x20);
    }
  };
  await expect(Readable.from(requireSignature(endless(), 'application/pdf')).toArray()).rejects.toMatchObject({
    code: 'InvalidAttachmentTypeError',
  });
  expect(read).toBe(1_029);
});
