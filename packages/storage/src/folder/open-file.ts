import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { ByteRange } from '../storage.ts';

/** Opens a file or a range of it. The stream closes the file. Throws if the file does not exist or the range begins after its end. */
export async function openFile(path: string, range?: ByteRange): Promise<{ content: Readable; size: number }> {
  const file = await open(path, 'r');
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error(`${path} is not a file`);
    if (!range) return { content: file.createReadStream(), size: stats.size };
    const { start } = range;
    if (start >= stats.size) throw new RangeError(`${path} has ${stats.size} bytes, the range begins at ${start}`);
    const end = Math.min(range.end, stats.size - 1);
    return { content: file.createReadStream({ start, end }), size: end - start + 1 };
  } catch (error) {
    await file.close();
    throw error;
  }
}
