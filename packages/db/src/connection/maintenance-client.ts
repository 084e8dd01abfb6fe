import type pg from 'pg';
import { BackendClient } from './backend-client.ts';
import { isBehindPooler } from './check-session.ts';
import { connectionConfig, type ConnectOptions } from './database.ts';

/** Work that takes long, and a transaction that waits for it, have no time limit. A role or a database may set one. */
const withoutTimeLimits = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  TimeZone: 'UTC',
};

/**
 * Connects one session without time limits, for backups and restores. The caller ends it.
 * @throws if there is no primary, or if the connection leads through a connection pooler, which does not keep locks of a session
 */
export async function connectForMaintenance(options: ConnectOptions): Promise<pg.Client> {
  const client = new BackendClient({
    ...connectionConfig(options),
    options: Object.entries(withoutTimeLimits)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    connectionTimeoutMillis: 10_000,
  });
  // The next query fails. Without a listener, the error would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ id: number; isStandby: boolean }>(
      'select pg_backend_pid() as id, pg_is_in_recovery() as "isStandby"',
    );
    if (isBehindPooler(client, rows[0]?.id ?? 0))
      throw new Error('The connection leads through a pooler: set DATABASE_DIRECT_URL to the address of PostgreSQL');
    if (rows[0]?.isStandby) throw new Error('The database server is a standby: use the address of the primary');
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}
