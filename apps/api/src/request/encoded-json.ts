import type { EncodedRows } from '@profile-service/db';

/** A JSON text in chunks. */
export class EncodedJson {
  readonly chunks: readonly Buffer[];

  constructor(chunks: readonly Buffer[]) {
    this.chunks = chunks;
  }
}

const head = Buffer.from('{"data":[');

/** Returns the output of a list whose rows are encoded. */
export function encodedList({ data: { chunks }, ...others }: { data: EncodedRows<unknown> }): EncodedJson {
  const end = JSON.stringify(others).slice(1);
  const tail = Buffer.from(end === '}' ? ']}' : `],${end}`);
  // A short list is sent with one write.
  return new EncodedJson(chunks.length > 1 ? [head, ...chunks, tail] : [Buffer.concat([head, ...chunks, tail])]);
}
