import { rowTooLong } from './invalid-file.ts';
import type { LineIndex } from './lines.ts';

/** A line of an NDJSON file that is not blank. */
export interface TextLine {
  readonly line: number;
  readonly text: string;
}

const lf = 10;

/** Yields the lines that end in each block. Before an error, yields the lines before it. @throws InvalidFileError if a line is too long */
export async function* readLines(blocks: AsyncIterable<Buffer>, lines: LineIndex, maxRowBytes: number): AsyncGenerator<TextLine[]> {
  /** Parts of the line that has not ended, which begins at `offset`. */
  let parts: Buffer[] = [];
  let length = 0;
  let offset = 0;
  let found: TextLine[] = [];
  const isTooLong = () => length > maxRowBytes;
  const tooLong = () => rowTooLong(maxRowBytes, lines.firstFrom(offset)?.line ?? 1);

  const endLine = () => {
    const [first] = parts;
    const text = (first && parts.length === 1 ? first : Buffer.concat(parts, length)).toString();
    if (text.trim() !== '') found.push({ line: lines.firstFrom(offset)?.line ?? 1, text });
    offset += length;
    parts = [];
    length = 0;
  };
  const take = () => {
    const taken = found;
    found = [];
    return taken;
  };

  for await (const block of blocks) {
    for (let at = 0; at < block.length;) {
      const end = block.indexOf(lf, at);
      const part = block.subarray(at, end < 0 ? block.length : end + 1);
      parts.push(part);
      length += part.length;
      at += part.length;
      if (end >= 0 && !isTooLong()) endLine();
    }
    yield take();
    if (isTooLong()) throw tooLong();
  }
  endLine();
  yield take();
}
