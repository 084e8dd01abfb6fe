import type { Compilable, Kysely } from 'kysely';
import { EncodedRows, type EncodeRow } from '../connection/rows.ts';
import type { BoundStatement, Executor } from '../connection/executor.ts';
import type { UnscopedTables, UnscopedReason } from '../scope/unscoped-tables.ts';
import type { DB } from '../schema.gen.ts';
import type { OrganizationScope, ScopeParameters } from '../scope/scope.ts';
import { type ScopedTables, scopedTables } from '../scope/scoped-tables.ts';
import { compile, type CompiledStatement, queries } from '../sql/compile.ts';
import { type Placeholders, scopeIds, type Values, Variants } from '../sql/placeholders.ts';

/** Where a statement runs: in a `UnscopedDatabase`, or in a `ScopedDatabase` with the caller's scope. */
export type StatementKind = 'unscoped' | 'scoped';

type Build = (p: never, scope: ScopeParameters) => Compilable;

/**
 * A query that is built and compiled at its first use. Later uses only fill in values.
 * It has one text for each kind of scope and each combination of the fields of `whenGiven`.
 */
export class Statement<Kind extends StatementKind, in Input, out Row> {
  declare readonly types: { kind: Kind; input: (input: Input) => void; row: Row };
  readonly #build: Build;
  readonly #planner: string | undefined;
  readonly #isPrepared: boolean;
  readonly #variants = new Variants();
  readonly #texts = new Map<string, CompiledStatement>();

  /**
   * @param planner settings of the query planner for this statement, as in `BoundStatement`
   * @param isPrepared default true. PostgreSQL keeps the text of a prepared statement on each connection.
   */
  constructor(build: Build, planner?: string, isPrepared = true) {
    this.#build = build;
    this.#planner = planner;
    this.#isPrepared = isPrepared;
  }

  /** Sends the statement. */
  run(executor: Executor, input: Input, scope: OrganizationScope): Promise<Row[]> {
    return executor.run(this.bind(input, scope)) as Promise<Row[]>;
  }

  /** Sends a statement, and encodes each row when it arrives. */
  async encoded(executor: Executor, input: Input, scope: OrganizationScope, encodeRow: EncodeRow): Promise<EncodedRows<Row>> {
    return new EncodedRows<Row>((await executor.run({ ...this.bind(input, scope), encodeRow })) as Buffer[]);
  }

  /** Fills in the values of the input. */
  bind(input: Input, scope: OrganizationScope): BoundStatement {
    const { name, text, values } = this.#compiledFor(input as Values, scope);
    return { name: this.#isPrepared ? name : undefined, text, values: values(input as Values, scope), planner: this.#planner };
  }

  #compiledFor(input: Values, { kind }: OrganizationScope): CompiledStatement {
    const found = this.#texts.get(kind + this.#variants.keyOf(input));
    if (found) return found;
    const compiled = compile(this.#build(this.#variants.placeholdersFor<never>(input), { kind, ...scopeIds }));
    // The first build finds the variants.
    this.#texts.set(kind + this.#variants.keyOf(input), compiled);
    return compiled;
  }
}

/** Declares a statement on unscoped tables: `statement((db, p: Placeholders<{ id: string }>) => db.selectFrom('apps')…)`. */
export function statement<Input, Row>(
  build: (db: Kysely<UnscopedTables>, p: Placeholders<Input>) => Compilable<Row>,
): Statement<'unscoped', Input, Row> {
  return new Statement((p) => build(queries as unknown as Kysely<UnscopedTables>, p));
}

/** Declares a statement on the scoped tables. It can access only rows in the caller's scope. */
export function scopedStatement<Input, Row>(
  build: (scoped: ScopedTables, p: Placeholders<Input>) => Compilable<Row>,
): Statement<'scoped', Input, Row> {
  return new Statement((p, scope) => build(scopedTables(scope), p));
}

/** Declares a statement on all tables, without the predicate of a scope. The reason documents why. */
export function unscopedStatement<Input, Row>(
  _reason: UnscopedReason,
  build: (db: Kysely<DB>, p: Placeholders<Input>) => Compilable<Row>,
): Statement<'unscoped', Input, Row> {
  return new Statement((p) => build(queries, p));
}
