/** Time limit of a statement without `ConnectOptions.statementTimeoutSeconds`. */
const defaultStatementTimeoutSeconds = 10;

/** Options of a connection that its session settings depend on. */
export interface SessionOptions {
  /** Time limit of a statement, in seconds; default 10. */
  statementTimeoutSeconds?: number;
}

/**
 * Returns the settings of every session, as PostgreSQL prints them:
 * - TimeZone: parsing timestamps in UTC needs no date arithmetic.
 * - random_page_cost: the default of 4 is for rotating disks, and makes PostgreSQL join whole tables for a small list.
 * - jit: compiling takes longer than running any of these statements.
 * - statement_timeout, idle_in_transaction_session_timeout: time limits for a statement, and for an idle open transaction. The second is 5 seconds longer.
 * - client_connection_check_interval: a statement ends when its client has gone. Without it, a write that waits for a lock would be committed later.
 */
export function sessionSettings({ statementTimeoutSeconds = defaultStatementTimeoutSeconds }: SessionOptions = {}): Record<string, string> {
  return {
    TimeZone: 'UTC',
    random_page_cost: '1.1',
    jit: 'off',
    statement_timeout: duration(statementTimeoutSeconds),
    idle_in_transaction_session_timeout: duration(statementTimeoutSeconds + 5),
    client_connection_check_interval: '1s',
  };
}

/** How long to wait for the response to a statement, in milliseconds: 2 seconds longer than PostgreSQL may work on it. */
export const responseTimeoutMs = ({ statementTimeoutSeconds = defaultStatementTimeoutSeconds }: SessionOptions): number =>
  (statementTimeoutSeconds + 2) * 1000;

/** Formats a duration as PostgreSQL does: in the largest unit that divides it. */
const duration = (seconds: number): string => (seconds % 60 === 0 ? `${seconds / 60}min` : `${seconds}s`);
