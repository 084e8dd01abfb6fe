import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import { camelCased } from './column-names.ts';

/** Rows that are converted without a pause. Takes less than 1 ms. */
const rowsPerTurn = 1_000;

/**
 * Converts the rows of a result from arrays to objects with camelCase keys. It converts a large result in parts, so that other requests are served
 * between them.
 */
export async function toObjects<R>(result: pg.QueryArrayResult<unknown[]>): Promise<PostgresQueryResult<R>> {
  const names = result.fields.map(({ name }) => camelCased(name));
  const rows: R[] = [];
  for (const values of result.rows) {
    const row: Record<string, unknown> = {};
    for (let index = 0; index < names.length; index += 1) row[names[index] as string] = values[index];
    rows.push(row as R);
    if (rows.length % rowsPerTurn === 0) await nextTurn();
  }
  return { command: result.command, rowCount: result.rowCount ?? 0, rows } as PostgresQueryResult<R>;
}
