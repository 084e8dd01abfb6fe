/** Rows in a chunk. */
const rowsPerChunk = 200;

/** Converts a row to JSON. */
export type EncodeRow = (row: unknown) => string;

/** Collects the rows of a result as JSON texts. */
export class RowEncoder {
  readonly #encodeRow: EncodeRow;
  readonly #chunks: Buffer[] = [];
  #texts: string[] = [];

  constructor(encodeRow: EncodeRow) {
    this.#encodeRow = encodeRow;
  }

  add(row: unknown): void {
    this.#texts.push(this.#encodeRow(row));
    if (this.#texts.length === rowsPerChunk) this.#endChunk();
  }

  /** Returns the chunks of `EncodedRows`. */
  end(): Buffer[] {
    if (this.#texts.length > 0) this.#endChunk();
    return this.#chunks;
  }

  #endChunk(): void {
    this.#chunks.push(Buffer.from((this.#chunks.length === 0 ? '' : ',') + this.#texts.join(',')));
    this.#texts = [];
  }
}

/**
 * The rows of a long list as JSON texts, which were encoded when they arrived. 100,000 rows as objects would fill the young generation of the heap, and each of
 * its collections would delay all requests by 20 ms.
 */
export class EncodedRows<out Row> {
  declare readonly types: { row: Row };
  /** Together, the rows separated by commas. */
  readonly chunks: readonly Buffer[];

  constructor(chunks: readonly Buffer[]) {
    this.chunks = chunks;
  }
}
