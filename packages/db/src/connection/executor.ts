import type { EncodeRow } from './rows.ts';

/** A statement with the values of its parameters. */
export interface BoundStatement {
  /** Name of the prepared statement, unique for the text. Undefined if it is not prepared. */
  readonly name: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
  /** SET LOCAL commands that apply to this statement, for example to plan it for its values. */
  readonly planner?: string | undefined;
  /** If given, the result has the chunks of `EncodedRows` instead of rows. */
  readonly encodeRow?: EncodeRow;
}

/** Sends statements to PostgreSQL: on any connection of the pool, or in a transaction. */
export interface Executor {
  /** Returns the rows, as objects with camelCase keys. Statements that are started without waiting for each other share a round trip. */
  run(statement: BoundStatement): Promise<unknown[]>;
}
