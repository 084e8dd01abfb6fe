import type { RowReader } from './row-reader.ts';

/** The prepared statements of all connections of a pool. */
export class PreparedStatements {
  readonly #byConnection = new WeakMap<object, { generation: number; readers: Map<string, RowReader> }>();
  /** Number of migrations that changed the columns of a prepared statement. */
  #generation = 0;

  /** Returns the readers of the statements that the connection has prepared, by name. */
  on(connection: object): Map<string, RowReader> {
    let prepared = this.#byConnection.get(connection);
    if (prepared?.generation !== this.#generation) {
      prepared = { generation: this.#generation, readers: new Map() };
      this.#byConnection.set(connection, prepared);
    }
    return prepared.readers;
  }

  /** Makes every connection prepare its statements again. */
  invalidate(): void {
    this.#generation += 1;
  }
}
