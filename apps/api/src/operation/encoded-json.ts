import { inNextTurn } from '@profile-service/db';
import type { Projection } from './projection.ts';

/** Number of rows that are encoded without a pause. They take less than 1 ms. */
export const rowsPerChunk = 200;

/** A large JSON text that was encoded in chunks. */
export class EncodedJson {
  readonly chunks: readonly Buffer[];

  constructor(chunks: readonly Buffer[]) {
    this.chunks = chunks;
  }

  /** Total size in bytes. */
  get size(): number {
    return this.chunks.reduce((total, { length }) => total + length, 0);
  }
}

/** Encodes `{ "data": rows }` in chunks. Other requests are served between two chunks. Of all long lists, one chunk is encoded in a turn of the event loop.
 * @param project selects the fields of a row */
export async function encodeList(project: Projection, rows: readonly unknown[]): Promise<EncodedJson> {
  const chunks: Buffer[] = [];
  for (let start = 0; start < rows.length; start += rowsPerChunk) {
    const texts = rows.slice(start, start + rowsPerChunk).map((each) => JSON.stringify(project(each)));
    chunks.push(Buffer.from((start === 0 ? '{"data":[' : ',') + texts.join(',')));
    await new Promise<void>(inNextTurn);
  }
  return new EncodedJson([...chunks, Buffer.from(']}')]);
}
