import type { Socket } from 'node:net';
import type { QueryResultBase } from 'pg';
import { camelCased } from '../sql/column-names.ts';
import { inNextTurn } from './turns.ts';

/** Number of rows after which a result waits for its next turn, and size of a chunk. Reading and encoding them takes about 1 ms. */
const rowsPerTurn = 200;
/** Number of bytes after which a result waits too: a row with metadata may have 64 KiB, which take up to 3 ms. */
const bytesPerTurn = 128 * 1024;

/** Converts a row to JSON. A row without a text is left out. */
export type EncodeRow = (row: unknown) => string | undefined;

/**
 * The rows of a list as JSON texts, which were encoded when they arrived. 100,000 rows as objects would fill the young generation of the heap, and each of its
 * collections would delay all requests by 20 ms. 100 rows with metadata would take up to 120 MB.
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
  readonly #stream: Socket;
  readonly #encodeRow: EncodeRow | undefined;
  #names: string[] | undefined;
  #emptyRow: Record<string, unknown> = {};
  #rows: unknown[] = [];
  readonly #chunks: Buffer[] = [];
  #count = 0;
  /** Bytes that the stream had read when this turn began. */
  #bytesBefore: number;
  /** The error of a row that could not be encoded. */
  failure: Error | undefined;

  /** @param stream of the connection; it pauses after every 200 rows or 128 KiB, so that other requests are served meanwhile */
  constructor(stream: Socket, encodeRow: EncodeRow | undefined) {
    this.#stream = stream;
    this.#bytesBefore = stream.bytesRead;
    this.#encodeRow = encodeRow;
  }

  add(values: readonly unknown[], result: Pick<QueryResultBase, 'fields'>): void {
    const row = this.#toObject(values, result);
    try {
      const added = this.#encodeRow ? this.#encodeRow(row) : row;
      if (added !== undefined) this.#rows.push(added);
    } catch (error) {
      this.failure ??= error as Error;
    }
    this.#count += 1;
    if (this.#count % rowsPerTurn === 0 || this.#stream.bytesRead - this.#bytesBefore > bytesPerTurn) this.#endTurn();
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
    this.#bytesBefore = this.#stream.bytesRead;
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
