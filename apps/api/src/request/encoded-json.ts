import type { EncodedRows } from '@profile-service/db';

/** A JSON text in chunks. */
export class EncodedJson {
  readonly chunks: readonly Buffer[];

  constructor(chunks: readonly Buffer[]) {
    this.chunks = chunks;
  }
}

const [head, tail] = [Buffer.from('{"data":['), Buffer.from(']}')];

/** Returns the output of a list without pages. */
export function encodedList({ chunks }: EncodedRows<unknown>): EncodedJson {
  // A short list is sent with one write.
  return new EncodedJson(chunks.length > 1 ? [head, ...chunks, tail] : [Buffer.concat([head, ...chunks, tail])]);
}
