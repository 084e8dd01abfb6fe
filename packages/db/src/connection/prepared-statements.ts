import type { BoundStatement } from './executor.ts';
import type { RowReader } from './row-reader.ts';

/** The prepared statements of all connections of a pool. */
export class PreparedStatements {
  /** Whether statements are prepared under their names. Poolers exist that do not carry prepared statements. */
  readonly #isEnabled: boolean;
  readonly #byConnection = new WeakMap<object, { generation: number; readers: Map<string, RowReader> }>();
  /** Number of migrations that changed the columns of a prepared statement. */
  #generation = 0;

  constructor(isEnabled = true) {
    this.#isEnabled = isEnabled;
  }

  /** Returns the name under which to prepare a statement; empty if it is not prepared for later executions. */
  nameOf(statement: BoundStatement): string {
    return this.#isEnabled ? statement.name : '';
  }

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
