import type { BoundStatement } from './executor.ts';
import type { Session, Sessions } from './session.ts';

export interface SnapshotOptions {
  /** Rows of each part. */
  rows: number;
  /** How long PostgreSQL may work on a part, and wait for the next request of one, in seconds. Then the next part fails. */
  maxSeconds: number;
}

/**
 * Reads all rows of a statement in parts, as they were at one moment. Each part is read when the one before was consumed, so memory does not grow with the
 * number of rows. It occupies a connection, and holds back vacuum, until the loop ends.
 */
export async function* readSnapshot(
  sessions: Pick<Sessions, 'acquire'>,
  { text, values }: BoundStatement,
  { rows, maxSeconds }: SnapshotOptions,
): AsyncGenerator<unknown[], void, undefined> {
  const session: Session = await sessions.acquire();
  const fetch = { name: undefined, text: `fetch ${rows} from snapshot`, values: [] };
  try {
    await session.command('begin isolation level repeatable read, read only');
    try {
      // All rows are read, not the first ones of many.
      await session.query(
        `set local cursor_tuple_fraction = 1; set local statement_timeout = '${maxSeconds}s'; set local idle_in_transaction_session_timeout = '${maxSeconds}s'`,
      );
      await session.query(`declare snapshot no scroll cursor for ${text}`, [...values]);
      for (let part = await session.run(fetch); part.length > 0; part = await session.run(fetch)) yield part;
    } finally {
      // Never rejects: closing a broken connection rolls back too.
      await session.command('rollback').catch(() => undefined);
    }
  } finally {
    session.release();
  }
}
