import type { EncodedRows, EncodeRow } from '../connection/rows.ts';
import type { Executor } from '../connection/executor.ts';
import { TransactionExecutor } from '../connection/transaction.ts';
import type { Row } from '../scope/unscoped-tables.ts';
import type { DB } from '../schema.gen.ts';
import type { OrganizationScope } from '../scope/scope.ts';
import { type NumberedPage, type PageAfter, type PageStatement, readNumberedPage, readPageAfter } from './page.ts';
import type { PatchInput, PatchStatement } from './patch.ts';
import type { Values } from '../sql/placeholders.ts';
import type { Statement, StatementKind } from './statement.ts';

/** Runs statements of one kind on a database or in a transaction. */
export class StatementRunner<Kind extends StatementKind> {
  protected readonly executor: Executor;
  protected readonly scope: OrganizationScope;

  constructor(executor: Executor, scope: OrganizationScope) {
    this.executor = executor;
    this.scope = scope;
  }

  /** Returns all rows. */
  all<Input, Found>(statement: Statement<Kind, Input, Found>, input: Input): Promise<Found[]> {
    return statement.run(this.executor, input, this.scope);
  }

  /** Returns the rows as JSON texts. @param encodeRow returns undefined for a row to leave out */
  encoded<Input, Found>(statement: Statement<Kind, Input, Found>, input: Input, encodeRow: EncodeRow): Promise<EncodedRows<Found>> {
    return statement.encoded(this.executor, input, this.scope, encodeRow);
  }

  /** Returns the first row. Without a row, throws the error of `absent`, or returns undefined if `absent` is not given. */
  async first<Input, Found>(statement: Statement<Kind, Input, Found>, input: Input, absent: () => Error): Promise<Found>;
  async first<Input, Found>(statement: Statement<Kind, Input, Found>, input: Input): Promise<Found | undefined>;
  async first<Input, Found>(statement: Statement<Kind, Input, Found>, input: Input, absent?: () => Error): Promise<Found | undefined> {
    const [row] = await statement.run(this.executor, input, this.scope);
    if (row === undefined && absent) throw absent();
    return row;
  }

  /** Returns the only row of an insert or an aggregate. Throws if there is none. */
  async one<Input, Found>(statement: Statement<Kind, Input, Found>, input: Input): Promise<Found> {
    return this.first(statement, input, () => new Error('The statement returned no row'));
  }

  /** Runs a write. Discards its rows. */
  async run<Input>(statement: Statement<Kind, Input, unknown>, input: Input): Promise<void> {
    await statement.run(this.executor, input, this.scope);
  }

  /**
   * Runs the last statement of the transaction: it travels with COMMIT, which saves a round trip. Its promise settles after the commit. Call
   * `invalidateCallers` before it. The commit also happens if a row is absent, so an error for an absent row undoes no earlier write.
   */
  get atCommit(): StatementRunner<Kind> {
    if (!(this.executor instanceof TransactionExecutor)) throw new Error('Not in a transaction');
    return new StatementRunner(this.executor.atCommit, this.scope);
  }

  /** Returns a page by its number, as `readNumberedPage`. */
  page<Input, Found>(statement: PageStatement<Kind, Input, Found>, request: NumberedPage, encodeRow?: EncodeRow) {
    return readNumberedPage(statement, request, { executor: this.executor, scope: this.scope }, encodeRow);
  }

  /** Returns the page after a position, as `readPageAfter`. */
  pageAfter<Input, Found>(statement: PageStatement<Kind, Input, Found>, request: PageAfter, encodeRow?: EncodeRow) {
    return readPageAfter(statement, request, { executor: this.executor, scope: this.scope }, encodeRow);
  }

  /**
   * Changes the given columns and returns the whole row (INPUT-3). Without a row, behaves like `first`.
   * If there is no column to change, only reads the row, so that `updatedAt` stays. An unknown field does not compile.
   */
  async patch<T extends keyof DB, Key extends string, Column extends string, Input extends PatchInput<T, Key, Column>>(
    statement: PatchStatement<Kind, T, Key, Column>,
    input: Input & Record<Exclude<keyof Input, Key | Column>, never>,
    absent: () => Error,
  ): Promise<Row<T>>;
  async patch<T extends keyof DB, Key extends string, Column extends string, Input extends PatchInput<T, Key, Column>>(
    statement: PatchStatement<Kind, T, Key, Column>,
    input: Input & Record<Exclude<keyof Input, Key | Column>, never>,
  ): Promise<Row<T> | undefined>;
  async patch<T extends keyof DB, Key extends string, Column extends string, Input extends PatchInput<T, Key, Column>>(
    { columns, read, update }: PatchStatement<Kind, T, Key, Column>,
    input: Input,
    absent?: () => Error,
  ): Promise<Row<T> | undefined> {
    const isEmpty = columns.every((column) => (input as Values)[column] === undefined);
    return absent ? this.first(isEmpty ? read : update, input, absent) : this.first(isEmpty ? read : update, input);
  }
}
