import type { Kysely } from 'kysely';
import type { UnscopedReason } from './handler-tables.ts';
import type { DB } from './schema.gen.ts';
import { StatementRunner } from './statements/runner.ts';

/** A handler's database, or transaction. It runs compiled statements only, so that the number of SQL texts is bounded. */
export class HandlerDatabase extends StatementRunner<'unscoped'> {
  constructor(db: Kysely<DB>) {
    super(db, { kind: 'none' });
  }

  /** For this package alone. */
  static kyselyOf(db: HandlerDatabase): Kysely<DB> {
    return db.db;
  }
}

/** The database, or transaction, as a handler gets it: without a way to the scoped tables. */
export function withoutScopedTables(db: Kysely<DB>): HandlerDatabase {
  return new HandlerDatabase(db);
}

/** Kysely with all tables, for jobs. Its statements run unprepared: handlers use `unscopedStatement`. */
export function unscoped(db: HandlerDatabase, _reason: UnscopedReason): Kysely<DB> {
  return HandlerDatabase.kyselyOf(db);
}
