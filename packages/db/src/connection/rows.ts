import type { Readable } from 'node:stream';
import type { QueryResultBase } from 'pg';
import { camelCased } from '../sql/column-names.ts';
import { inNextTurn } from './turns.ts';

/** Number of rows after which a result waits for its next turn, and size of a chunk. Reading and encoding them takes about 1 ms. */
const rowsPerTurn = 200;

/** Converts a row to JSON. */
export type EncodeRow = (row: unknown) => string;

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

/** Collects the rows of one result as objects with camelCase keys, or as the chunks of `EncodedRows`. */
export class RowCollector {
  readonly #stream: Readable;
  readonly #encodeRow: EncodeRow | undefined;
  #names: string[] | undefined;
  #emptyRow: Record<string, unknown> = {};
  #rows: unknown[] = [];
  readonly #chunks: Buffer[] = [];
  #count = 0;
  /** The error of a row that could not be encoded. */
  failure: Error | undefined;

  /** @param stream of the connection; it pauses after every 200 rows, so that other requests are served meanwhile */
  constructor(stream: Readable, encodeRow: EncodeRow | undefined) {
    this.#stream = stream;
    this.#encodeRow = encodeRow;
  }

  add(values: readonly unknown[], result: Pick<QueryResultBase, 'fields'>): void {
    const row = this.#toObject(values, result);
    try {
      this.#rows.push(this.#encodeRow ? this.#encodeRow(row) : row);
    } catch (error) {
      this.failure ??= error as Error;
    }
    this.#count += 1;
    if (this.#count % rowsPerTurn === 0) this.#endTurn();
  }

  /** Returns the rows or the chunks. */
  end(): unknown[] {
    if (!this.#encodeRow) return this.#rows;
    this.#endChunk();
    return this.#chunks;
  }

  #toObject(values: readonly unknown[], { fields }: Pick<QueryResultBase, 'fields'>): Record<string, unknown> {
    if (!this.#names) {
      this.#names = fields.map(({ name }) => camelCased(name));
      for (const name of this.#names) this.#emptyRow[name] = null;
    }
    // Copying an object with all keys is faster than adding one key after the other.
    const row = { ...this.#emptyRow };
    for (let index = 0; index < values.length; index += 1) row[this.#names[index] as string] = values[index];
    return row;
  }

  #endTurn(): void {
    if (this.#encodeRow) this.#endChunk();
    if (this.#stream.isPaused()) return;
    this.#stream.pause();
    inNextTurn(() => this.#stream.resume());
  }

  #endChunk(): void {
    if (this.#rows.length === 0) return;
    this.#chunks.push(Buffer.from((this.#chunks.length === 0 ? '' : ',') + this.#rows.join(',')));
    this.#rows = [];
  }
}
