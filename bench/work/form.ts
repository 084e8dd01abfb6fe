import type { Content } from './encode.ts';

const boundary = 'bench-3f2a9c5d7e1b';
const mebibyte = 1024 * 1024;

/** A file of this size that the service accepts as a PDF document. */
export function pdf(mebibytes: number): Buffer {
  // Bytes that do not compress and contain no boundary.
  const bytes = Buffer.alloc(mebibytes * mebibyte);
  for (let at = 0, state = 1; at < bytes.length; at += 1) bytes[at] = (state = (state * 48_271) % 2_147_483_647) & 0xff;
  bytes.write('%PDF-1.7\n');
  return bytes;
}

/** The parts of a form around its file: the size of the file is not limited by the memory of the client. */
export function formAround(
  fields: Record<string, string>,
  file = { name: 'estatuto.pdf', type: 'application/pdf' },
): { type: string; head: Buffer; tail: Buffer } {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const fileHead = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${file.name}"\r\nContent-Type: ${file.type}\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    head: Buffer.from(parts.join('') + fileHead),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
  };
}

/** A form with fields and a file. */
export function formWith(fields: Record<string, string>, file: Buffer): Content {
  const { type, head, tail } = formAround(fields);
  return { type, bytes: Buffer.concat([head, file, tail]) };
}
