import type pg from 'pg';
import { afterAll, onTestFinished } from 'vitest';
import { createTestDatabase } from '../../../test/database.ts';
import { connect, type ConnectOptions } from '../src/index.ts';
import { records } from './records.ts';

/** Connects to a database for a test: by default a new one that is migrated. `make` inserts records, `sql` runs plain SQL and returns the rows. */
export async function openDatabase(options: Partial<ConnectOptions> = {}, atEnd: (close: () => Promise<void>) => void = onTestFinished) {
  const url = options.connectionString ?? (await createTestDatabase());
  const database = connect({ connectionString: url, ...options });
  atEnd(() => database.close());
  const sql = async <Row extends pg.QueryResultRow = Record<string, unknown>>(text: string, values: unknown[] = []) =>
    (await database.pool.query<Row>(text, values)).rows;
  return { url, database, make: records(database.db), sql };
}

/** Like `openDatabase`, for all tests of a file. */
export const useDatabase = (options?: Partial<ConnectOptions>) => openDatabase(options, afterAll);
