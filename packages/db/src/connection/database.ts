import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { typeParsers } from '../sql/column-types.ts';
import { camelCase } from '../sql/compile.ts';
import type { DB } from '../schema.gen.ts';
import { BackendClient } from './backend-client.ts';
import type { BoundStatement, Executor } from './executor.ts';
import { type DatabaseObserver, watchClient } from './observer.ts';
import { type CancellableRequest, Reads, readsOnAnyConnection } from './reads.ts';
import { Sessions } from './session.ts';
import { responseTimeoutMs, type SessionOptions, sessionSettings } from './session-settings.ts';
import { readSnapshot, type SnapshotOptions } from './snapshot.ts';
import { TransactionExecutor } from './transaction.ts';

export interface ConnectOptions extends SessionOptions {
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
  /** How long to wait for the response to a statement, in milliseconds; default: 2 seconds longer than PostgreSQL may work on it. */
  responseMs?: number;
  /** Called with each new connection before its first use. If it rejects, the connection is closed. */
  onConnect?: (client: pg.Client) => Promise<void>;
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
  /** Reads all rows of a statement in parts, as they were at one moment. */
  snapshot(statement: BoundStatement, options: SnapshotOptions): AsyncGenerator<unknown[], void, undefined>;
  /** Runs the work in a transaction, and commits. Rolls back if the work fails. */
  transaction<T>(work: (transaction: TransactionExecutor) => Promise<T>): Promise<T>;
  /** Waits until no connection is in use, then closes all. */
  close(): Promise<void>;
}

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
    Client: BackendClient,
    pipeline: true,
    ...(!options.hasPooler && { options: startupOptions(options) }),
    max: options.max ?? 10,
    idleTimeoutMillis: 60_000,
    // A new connection resolves the host name again, so the pool follows a server that moved.
    maxLifetimeSeconds: 3_600,
    connectionTimeoutMillis: options.waitMs ?? 5_000,
    ...(options.onConnect && { onConnect: options.onConnect as unknown as NonNullable<pg.PoolConfig['onConnect']> }),
  });
  const { observer } = options;
  let closing: Promise<void> | undefined;
  pool.on('error', (error) => {
    if (!closing) options.onError?.(error);
  });
  pool.on('connect', (client) => {
    // The next statement on a broken connection fails. Without a listener, the `error` event would end the process.
    client.on('error', () => undefined);
    watchClient(client, options.responseMs ?? responseTimeoutMs(options), observer);
  });
  const sessions = new Sessions(pool, options.prepare ?? true, observer);
  const executor = readsOnAnyConnection(sessions);
  return {
    db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }), plugins: [camelCase] }),
    pool,
    executor,
    executorOf(request) {
      const found = request.executors.get(executor) ?? new Reads(sessions, request);
      request.executors.set(executor, found);
      return found;
    },
    snapshot: (statement, snapshotOptions) => readSnapshot(sessions, statement, snapshotOptions),
    async transaction(work) {
      const session = await sessions.acquire();
      const transaction = new TransactionExecutor(session);
      try {
        const result = await work(transaction);
        await transaction.commit();
        return result;
      } catch (error) {
        await transaction.rollback();
        throw error;
      } finally {
        session.release();
      }
    },
    close: () => (closing ??= pool.end()),
  };
}

const startupOptions = (options: SessionOptions): string =>
  Object.entries(sessionSettings(options))
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

function withoutSslMode(connectionString: string): string {
  return connectionString.replaceAll(/(?<=[?&])(sslmode|sslrootcert|sslcert|sslkey)=[^&]*&?/g, '');
}
