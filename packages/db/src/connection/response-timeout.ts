import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * Closes the connection if PostgreSQL sends nothing for this time while a statement runs. The statement fails, and the database counts as unavailable.
 *
 * pg's own `query_timeout` starts a timer for each statement. The timer's closure and the statement refer to each other, and V8 keeps the two with all rows
 * until the next major garbage collection: a list took 30 % more CPU time.
 * @param client a connected client
 * @param ms longer than `statement_timeout`
 */
export function limitResponseTime(client: pg.ClientBase, ms: number): void {
  const { connection } = client as unknown as { connection: { stream: Socket } };
  const { stream } = connection;
  stream.setTimeout(ms, () => {
    const isIdle = (client as unknown as { readyForQuery: boolean }).readyForQuery;
    if (!isIdle) stream.destroy(new Error(`Query read timeout: no response within ${ms} ms`));
  });
}
