import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { typeParsers } from './column-types.ts';
import type { CancellableRequest } from './cancellation.ts';
import type { Executor } from './execution/executor.ts';
import { acquire, type DatabaseObserver, observePlainSql } from './execution/observer.ts';
import { PoolExecutor } from './execution/pool-executor.ts';
import { PreparedStatements } from './execution/prepared-statements.ts';
import { RequestExecutor } from './execution/request-executor.ts';
import { TransactionExecutor } from './execution/transaction-executor.ts';
import { limitResponseTime } from './response-timeout.ts';
import type { DB } from './schema.gen.ts';
import { camelCase } from './statements/compile.ts';

export interface ConnectOptions {
  connectionString: string;
  /** Maximum number of connections; default 10. */
  max?: number;
  /** PEM text of the authority that signed the server's certificate. If set, the connection uses TLS and verifies the certificate. */
  ca?: string;
  /** Whether compiled statements are prepared under their names; default true. */
  prepare?: boolean;
  /** Whether the connection string leads to a connection pooler. Then the pooler must set `sessionSettings`: it rejects them as startup parameters. */
  hasPooler?: boolean;
  /** Name in pg_stat_activity; default `profile-service`. */
  applicationName?: string;
  /** Called when an idle connection breaks, until `close`. The pool replaces the connection. */
  onError?: (error: Error) => void;
  /** How long to wait for a connection, in milliseconds; default 5,000. */
  waitMs?: number;
  /** How long to wait for the response to a statement, in milliseconds; default 12,000. */
  responseMs?: number;
  /** Called with each new connection before its first use. If it rejects, the connection is closed. */
  onConnect?: (client: pg.ClientBase) => Promise<void>;
  /** Observes the statements, for traces. */
  observer?: DatabaseObserver | undefined;
}

export interface Database {
  /** Kysely on the pool, for jobs and commands. Its statements are not prepared. */
  db: Kysely<DB>;
  /** The pool, for its metrics and for plain SQL. */
  pool: pg.Pool;
  /** Sends compiled statements. */
  executor: Executor;
  /** Returns the executor for the reads of a request. It is the same for all calls of a batch. */
  executorOf(request: CancellableRequest): Executor;
  /** Runs the work in a transaction, and commits. Rolls back if the work fails. */
  transaction<T>(work: (transaction: TransactionExecutor) => Promise<T>): Promise<T>;
  /** Waits until no connection is in use, then closes all. */
  close(): Promise<void>;
}

/** How long a request waits for a connection, in milliseconds. */
export const poolWaitMs = 5_000;
const defaultResponseMs = 12_000;

/**
 * The settings of every session:
 * - TimeZone: parsing timestamps in UTC needs no date arithmetic.
 * - random_page_cost: the default of 4 is for rotating disks, and makes PostgreSQL join whole tables for a small list.
 * - enable_mergejoin: PostgreSQL assumes that a tenant's organizations are spread evenly over all. For a tenant with 100,000 older organizations, a merge
 *   join reads all newer organizations of other tenants before the first row (270 ms instead of 0.7 ms).
 * - jit: compiling takes longer than running any of these statements.
 * - statement_timeout, idle_in_transaction_session_timeout: time limits for a statement, and for an idle open transaction.
 * - client_connection_check_interval: a statement ends when its client has gone. Without it, a write that waits for a lock would be committed later.
 */
export const sessionSettings = {
  TimeZone: 'UTC',
  random_page_cost: '1.1',
  jit: 'off',
  enable_mergejoin: 'off',
  statement_timeout: '10s',
  idle_in_transaction_session_timeout: '15s',
  client_connection_check_interval: '1s',
};

const startupOptions = Object.entries(sessionSettings)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/**
 * Returns the settings of a pool or of a single client.
 * With an authority, removes the `sslmode` of the connection string, which would override it.
 */
export function connectionConfig({ connectionString, ca, applicationName }: ConnectOptions): pg.ClientConfig {
  return {
    connectionString: ca ? withoutSslMode(connectionString) : connectionString,
    ...(ca && { ssl: { ca, rejectUnauthorized: true } }),
    application_name: applicationName ?? 'profile-service',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: typeParsers,
  };
}

/**
 * Creates a connection pool, with executors for compiled statements. It connects at the first statement.
 * Rows have the format of responses: camelCase names, timestamps as ISO 8601 UTC text with milliseconds, bigint as number.
 *
 * Pass a jsonb parameter that can be an array as `JSON.stringify(value)`: pg converts a JavaScript array to a PostgreSQL array.
 * Keys inside JSON are not changed.
 */
export function connect(options: ConnectOptions): Database {
  const pool = new pg.Pool({
    ...connectionConfig(options),
    ...(!options.hasPooler && { options: startupOptions }),
    max: options.max ?? 10,
    idleTimeoutMillis: 60_000,
    // A new connection resolves the host name again, so the pool follows a server that moved.
    maxLifetimeSeconds: 3_600,
    connectionTimeoutMillis: options.waitMs ?? poolWaitMs,
    ...(options.onConnect && { onConnect: options.onConnect as NonNullable<pg.PoolConfig['onConnect']> }),
  });
  const { observer } = options;
  let closing: Promise<void> | undefined;
  pool.on('error', (error) => {
    if (!closing) options.onError?.(error);
  });
  pool.on('connect', (client) => {
    // The next statement on a broken connection fails. Without a listener, the `error` event would end the process.
    client.on('error', () => undefined);
    limitResponseTime(client, options.responseMs ?? defaultResponseMs);
    if (observer) observePlainSql(client, observer);
  });
  const prepared = new PreparedStatements(options.prepare);
  const executor = new PoolExecutor(pool, prepared, observer);
  return {
    db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }), plugins: [camelCase] }),
    pool,
    executor,
    executorOf(request) {
      const found = request.executors.get(executor) ?? new RequestExecutor(executor, request);
      request.executors.set(executor, found);
      return found;
    },
    async transaction(work) {
      const client = await acquire(pool, observer);
      const transaction = new TransactionExecutor(client, prepared, observer);
      try {
        const result = await work(transaction);
        await transaction.commit();
        return result;
      } catch (error) {
        await transaction.rollback();
        throw error;
      } finally {
        client.release(transaction.unusable);
      }
    },
    close: () => (closing ??= pool.end()),
  };
}

function withoutSslMode(connectionString: string): string {
  return connectionString.replaceAll(/(?<=[?&])(sslmode|sslrootcert|sslcert|sslkey)=[^&]*&?/g, '');
}
