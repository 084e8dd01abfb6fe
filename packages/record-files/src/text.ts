import { isUtf8 } from 'node:buffer';
import { InvalidFileError } from './invalid-file.ts';
import type { LineIndex } from './lines.ts';

/** Blocks have a fixed size, so that errors do not depend on how the content was divided. */
const blockBytes = 16 * 1024;

/** Yields the text of a file in blocks of 16 KiB, without its byte order mark. @throws InvalidFileError if it is not UTF-8 */
export async function* readText(content: AsyncIterable<Uint8Array>, check: TextCheck): AsyncGenerator<Buffer> {
  for await (const block of readBlocks(content)) yield check.add(block);
  check.end();
}

async function* readBlocks(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let block = Buffer.allocUnsafe(blockBytes);
  let length = 0;
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + blockBytes - length);
      block.set(part, length);
      length += part.length;
      at += part.length;
      if (length < blockBytes) continue;
      yield block;
      block = Buffer.allocUnsafe(blockBytes);
      length = 0;
    }
  }
  if (length > 0) yield block.subarray(0, length);
}

const hint = 'In a spreadsheet, save it as "CSV UTF-8"';
const notText = [
  { start: Buffer.from([0xff, 0xfe]), reason: `The file is UTF-16, not UTF-8. ${hint}` },
  { start: Buffer.from([0xfe, 0xff]), reason: `The file is UTF-16, not UTF-8. ${hint}` },
  { start: Buffer.from('PK\u0003\u0004'), reason: `The file is a workbook or a ZIP archive, not text. ${hint}` },
];
const bom = Buffer.from([0xef, 0xbb, 0xbf]);

/** Checks that the bytes of a file are UTF-8 text. */
export class TextCheck {
  /** Whether the file begins with a byte order mark. */
  hasBom = false;
  /** The bytes are added to it. */
  readonly #lines: LineIndex;
  #isStart = true;
  /** The first bytes of a character whose other bytes are in the next block. */
  #cut: Buffer = Buffer.alloc(0);

  constructor(lines: LineIndex) {
    this.#lines = lines;
  }

  /** Checks the next bytes. Returns them without the byte order mark. The first call must have at least 4 bytes, or all of the file. */
  add(bytes: Buffer): Buffer {
    if (this.#isStart) {
      rejectOtherTypes(bytes);
      this.hasBom = startsWith(bytes, bom);
    }
    const block = this.#isStart && this.hasBom ? bytes.subarray(bom.length) : bytes;
    this.#isStart = false;
    const offset = this.#lines.length - this.#cut.length;
    this.#lines.add(block);
    const text = this.#cut.length > 0 ? Buffer.concat([this.#cut, block]) : block;
    const complete = text.subarray(0, text.length - incompleteBytes(text));
    const zero = text.indexOf(0);
    if (zero >= 0) {
      throw new InvalidFileError(`The file has NUL bytes. It is UTF-16 or not text. ${hint}`, this.#lines.lineAt(offset + zero));
    }
    if (!isUtf8(complete)) throw notUtf8(this.#lines.lineAt(offset + badLine(complete)));
    this.#cut = text.subarray(complete.length);
    return block;
  }

  /** Checks that the file does not end within a character. */
  end(): void {
    if (this.#cut.length > 0) throw notUtf8(this.#lines.lineAt(this.#lines.length - 1));
  }
}

const notUtf8 = (line: number) => new InvalidFileError(`The text is not UTF-8. ${hint}`, line);

function rejectOtherTypes(bytes: Buffer): void {
  const other = notText.find(({ start }) => startsWith(bytes, start));
  if (other) throw new InvalidFileError(other.reason);
}

const startsWith = (bytes: Buffer, start: Buffer): boolean => bytes.subarray(0, start.length).equals(start);

/** The number of bytes at the end that begin a character without completing it: 0 to 3. */
function incompleteBytes(bytes: Buffer): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count += 1) {
    const byte = bytes[bytes.length - count] ?? 0;
    const isContinuation = byte >= 0x80 && byte < 0xc0;
    if (isContinuation) continue;
    const characterBytes = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return characterBytes > count ? count : 0;
  }
  return 0;
}

const lineEnd = /[\n\r]/g;

/** The position of the first line that is not UTF-8. Bytes of line ends are never part of another character. */
function badLine(bytes: Buffer): number {
  let start = 0;
  for (const { index } of bytes.toString('latin1').matchAll(lineEnd)) {
    if (!isUtf8(bytes.subarray(start, index))) return start;
    start = index + 1;
  }
  return start;
}
