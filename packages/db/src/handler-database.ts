import type { Kysely } from 'kysely';
import type { UnscopedReason } from './handler-tables.ts';
import type { DB } from './schema.gen.ts';
import { StatementRunner } from './statements/runner.ts';

/** The database or transaction of a handler. It runs compiled statements only, so that the number of SQL texts is bounded. */
export class HandlerDatabase extends StatementRunner<'unscoped'> {
  constructor(db: Kysely<DB>) {
    super(db, { kind: 'none' });
  }

  /** Only for this package. */
  static kyselyOf(db: HandlerDatabase): Kysely<DB> {
    return db.db;
  }
}

/** Wraps a database or transaction for handlers: without access to the scoped tables. */
export function withoutScopedTables(db: Kysely<DB>): HandlerDatabase {
  return new HandlerDatabase(db);
}

/** Returns Kysely with all tables, for jobs. Its statements are not prepared: handlers use `unscopedStatement` instead. */
export function unscoped(db: HandlerDatabase, _reason: UnscopedReason): Kysely<DB> {
  return HandlerDatabase.kyselyOf(db);
}
