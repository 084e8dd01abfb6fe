import type pg from 'pg';
// @ts-expect-error pg's types lack the module that its query classes share.
import utils from 'pg/lib/utils.js';
import { serialize } from 'pg-protocol';
import { RowEncoder } from './encoded-rows.ts';
import type { BoundStatement } from './executor.ts';
import type { ObservedStatement } from './observer.ts';
import type { PreparedStatements } from './prepared-statements.ts';
import { createRowReader, type Field, type RowReader } from './row-reader.ts';
import { inNextTurn, onStatementSent } from './turns.ts';

/** Number of rows after which a result waits for its next turn. Reading and encoding them takes about 1 ms. */
const rowsPerTurn = 200;

/** What a round trip has returned. */
export interface Outcome {
  /** The rows of each statement that succeeded, in order. */
  results: unknown[][];
  /** The error of the first statement without results; null if all succeeded. */
  error: Error | null;
}

/**
 * Sends statements with one write, and waits once for all results. If one fails, PostgreSQL skips the statements after it. Never rejects.
 * @param statements at least one; outside a transaction they are a transaction of their own
 */
export const roundTrip = (
  client: pg.ClientBase,
  prepared: PreparedStatements,
  statements: readonly ObservedStatement[],
): Promise<Outcome> =>
  new Promise((resolve) => {
    if (!statements.some(({ isPlannedEachTime }) => isPlannedEachTime)) client.query(new RoundTrip(statements, prepared, resolve));
    else {
      const withoutFirst = ({ results, error }: Outcome) => resolve({ results: results.slice(1), error });
      client.query(new RoundTrip([planEachTime, ...statements], prepared, withoutFirst));
    }
  });

/** Applies until the end of the transaction. Without BEGIN, the statements of a round trip are one transaction. */
const planEachTime: BoundStatement = {
  name: 'plan_each_time',
  text: "select set_config('plan_cache_mode', 'force_custom_plan', true)",
  values: [],
};

/**
 * A query class for pg. It prepares a statement and asks for its columns once per connection. pg's own class asks for the columns of every execution.
 */
class RoundTrip implements pg.Submittable {
  readonly #statements: readonly ObservedStatement[];
  readonly #prepared: PreparedStatements;
  readonly #onDone: (outcome: Outcome) => void;
  readonly #results: unknown[][] = [];
  #connection!: pg.Connection;
  #readers!: Map<string, RowReader>;
  /** Of the statement that runs. Undefined until its columns are known. */
  #reader: RowReader | undefined;
  #rows: unknown[] = [];
  #rowCount = 0;
  /** Of the statement that runs, if its rows are encoded. */
  #encoder: RowEncoder | undefined;
  /** Called at the end, for the statements that are observed. Undefined if none is. */
  #ends: ((error?: Error) => void)[] | undefined;
  /** The error of a row that could not be converted. Its statement and those after it have no results. */
  #failure: Error | null = null;

  constructor(statements: readonly ObservedStatement[], prepared: PreparedStatements, onDone: (outcome: Outcome) => void) {
    this.#statements = statements;
    this.#prepared = prepared;
    this.#onDone = onDone;
  }

  /** @returns the error of a value that cannot be converted; then nothing is sent, and pg calls `handleError` */
  submit(connection: pg.Connection): Error | undefined {
    this.#connection = connection;
    this.#readers = this.#prepared.on(connection);
    try {
      const messages = this.#statements.flatMap((statement) => this.#messagesOf(statement));
      connection.stream.write(Buffer.concat([...messages, serialize.sync()]));
    } catch (error) {
      return error as Error;
    }
    onStatementSent();
    this.#startObserved();
    this.#next();
    return undefined;
  }

  #startObserved(): void {
    for (let index = 0; index < this.#statements.length; index += 1) {
      const end = this.#statements[index]?.onStart?.();
      if (end) (this.#ends ??= [])[index] = end;
    }
  }

  /** PostgreSQL has skipped the statements after a failed one. */
  #endObserved(ends: ((error?: Error) => void)[], error: Error | null): void {
    const succeeded = this.#results.length;
    for (const end of ends.slice(0, succeeded)) end?.();
    if (error) ends[succeeded]?.(error);
  }

  #messagesOf(statement: BoundStatement): Buffer[] {
    const { text, values } = statement;
    const name = this.#prepared.nameOf(statement);
    const bind = serialize.bind({ statement: name, values: values as unknown[], valueMapper });
    if (this.#readers.has(name)) return [bind, serialize.execute()];
    // An earlier round trip may have prepared the statement and then failed. Closing an absent statement is no error.
    const close = serialize.close({ type: 'S', name });
    return [close, serialize.parse({ name, text }), bind, serialize.describe({ type: 'P' }), serialize.execute()];
  }

  /** The statement whose results arrive. */
  get #running(): BoundStatement | undefined {
    return this.#statements[this.#results.length];
  }

  /** Its name. */
  get #name(): string {
    const statement = this.#running;
    return statement ? this.#prepared.nameOf(statement) : '';
  }

  /** Prepares for the results of the next statement. */
  #next(): void {
    this.#rows = [];
    const { encodeRow } = this.#running ?? {};
    this.#encoder = encodeRow && new RowEncoder(encodeRow);
    this.#reader = this.#readers.get(this.#name);
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#reader = createRowReader(fields);
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#failure) return;
    try {
      const row = this.#reader?.(fields);
      if (this.#encoder) this.#encoder.add(row);
      else this.#rows.push(row);
    } catch (error) {
      this.#failure = error as Error;
    }
    this.#rowCount += 1;
    if (this.#rowCount % rowsPerTurn === 0) this.#pause();
  }

  /** Stops reading from the connection until the next turn: other requests are served meanwhile. What has been received already is still read. */
  #pause(): void {
    const { stream } = this.#connection;
    if (stream.isPaused()) return;
    stream.pause();
    inNextTurn(() => stream.resume());
  }

  handleCommandComplete(): void {
    if (this.#failure) return;
    const name = this.#name;
    if (name !== '') this.#readers.set(name, this.#reader ?? withoutColumns);
    this.#results.push(this.#encoder?.end() ?? this.#rows);
    this.#next();
  }

  handleError(error: Error): void {
    this.#end(error);
  }

  handleReadyForQuery(): void {
    this.#end(this.#failure);
  }

  #end(error: Error | null): void {
    if (this.#ends) this.#endObserved(this.#ends, error);
    this.#onDone({ results: this.#results, error });
  }
}

/** Converts a JavaScript value to a parameter, as pg's own query class does. */
const { prepareValue } = utils as { prepareValue(value: unknown): string | Buffer | null };
const valueMapper = (value: unknown) => (typeof value === 'string' ? value : prepareValue(value));
const withoutColumns: RowReader = () => ({});
