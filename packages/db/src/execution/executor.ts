/** A statement with the values of its parameters. */
export interface BoundStatement {
  /** Name of the prepared statement, unique for the text. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Sends statements to PostgreSQL: on any connection of the pool, or in a transaction. */
export interface Executor {
  /** Returns the rows, as objects with camelCase keys. */
  run(statement: BoundStatement): Promise<unknown[]>;
  /** Sends statements together. Returns the rows of each. */
  runAll(statements: readonly BoundStatement[]): Promise<unknown[][]>;
}
