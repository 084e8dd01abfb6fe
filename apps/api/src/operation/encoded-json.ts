import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';

/** Rows that are encoded without a pause: about a millisecond of work. */
export const rowsPerChunk = 500;

/** A JSON text that is too large to encode at once. */
export class EncodedJson {
  readonly chunks: readonly Buffer[];

  constructor(chunks: readonly Buffer[]) {
    this.chunks = chunks;
  }

  /** In bytes. */
  get size(): number {
    return this.chunks.reduce((total, { length }) => total + length, 0);
  }
}

/** Encodes `{ "data": rows }` chunk by chunk. Other requests are served between two chunks. @param row the schema of one row */
export async function encodeList(row: z.ZodType, rows: readonly unknown[]): Promise<EncodedJson> {
  const chunks: Buffer[] = [];
  for (let start = 0; start < rows.length; start += rowsPerChunk) {
    const texts = rows.slice(start, start + rowsPerChunk).map((each) => JSON.stringify(row.parse(each)));
    chunks.push(Buffer.from((start === 0 ? '{"data":[' : ',') + texts.join(',')));
    await nextTurn();
  }
  return new EncodedJson([...chunks, Buffer.from(']}')]);
}
