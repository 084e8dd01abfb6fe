import type { EncodeRow } from './encoded-rows.ts';

/** A statement with the values of its parameters. */
export interface BoundStatement {
  /** Name of the prepared statement, unique for the text. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** Whether PostgreSQL plans every execution for its values, as lists need. Otherwise it decides after five executions whether one plan fits all. */
  readonly isPlannedEachTime?: boolean;
  /** If given, the result has the chunks of `EncodedRows` instead of rows. */
  readonly encodeRow?: EncodeRow;
}

/** Sends statements to PostgreSQL: on any connection of the pool, or in a transaction. */
export interface Executor {
  /** Returns the rows, as objects with camelCase keys. */
  run(statement: BoundStatement): Promise<unknown[]>;
  /** Sends statements together. Returns the rows of each. */
  runAll(statements: readonly BoundStatement[]): Promise<unknown[][]>;
}
