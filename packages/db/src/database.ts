import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { typeParsers } from './column-types.ts';
import { preparing } from './prepared-statements.ts';
import type { DB } from './schema.gen.ts';
import { camelCase } from './statements/compile.ts';

export interface ConnectOptions {
  connectionString: string;
  /** Maximum number of connections; default 10. */
  max?: number;
  /** PEM text of the authority that signed the server's certificate; with it TLS is used and verified. */
  ca?: string;
  /** Called for each statement with parameters that was not compiled by `statement` and its kind, with its text. It runs without a name. */
  onUnprepared?: (text: string) => void;
  /** Shown in pg_stat_activity. */
  applicationName?: string;
  /** Called when an idle connection breaks, until `close`. The pool replaces the connection. */
  onError?: (error: Error) => void;
}

export interface Database {
  db: Kysely<DB>;
  /** The pool itself, for its numbers and for statements outside Kysely. Its statements are not prepared. */
  pool: pg.Pool;
  /** Waits for the connections in use, then closes all. */
  close(): Promise<void>;
}

/** How long a request waits for a connection, in milliseconds. */
export const poolWaitMs = 5_000;

/** Timeouts in milliseconds: for a connection, for a statement on the server, for its result here, and for an idle open transaction. */
const limits = {
  connectionTimeoutMillis: poolWaitMs,
  statement_timeout: 10_000,
  query_timeout: 12_000,
  idle_in_transaction_session_timeout: 15_000,
};

/**
 * - TimeZone: timestamps in UTC are parsed without date arithmetic.
 * - plan_cache_mode: a tenant has ten organizations or 100,000, and a plan for an average one takes 100 times as long for both. A prepared statement
 *   is parsed once and planned each time (some 0.1 ms for a read by id).
 * - random_page_cost: today's disks and caches reach single rows fast; the default of 4 makes whole-table joins of small lists.
 * - jit: compiling takes longer than any of these statements.
 */
const sessionSettings = '-c TimeZone=UTC -c plan_cache_mode=force_custom_plan -c random_page_cost=1.1 -c jit=off';

/**
 * The settings of a pool or of a single client for the same database.
 * An sslmode in the connection string would override the authority, so it gives way to it.
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
 * A pool of connections and Kysely on top of it; connects at the first query.
 * Rows come out as specification part 2 has them: camelCase names, timestamps as ISO 8601 UTC text with milliseconds, bigint as number.
 *
 * jsonb parameters: a plain object may be passed as it is, but pg makes a PostgreSQL array of a JavaScript array,
 * so a value that can be an array is passed as `JSON.stringify(value)`. Keys inside json stay as they are.
 */
export function connect(options: ConnectOptions): Database {
  const pool = new pg.Pool({
    ...connectionConfig(options),
    ...limits,
    options: sessionSettings,
    max: options.max ?? 10,
    idleTimeoutMillis: 60_000,
    // A new connection resolves the host name again, so the pool follows a server that moved.
    maxLifetimeSeconds: 3_600,
  });
  let closing: Promise<void> | undefined;
  pool.on('error', (error) => {
    if (!closing) options.onError?.(error);
  });
  // A connection that breaks in use fails its next statement. Without a listener the `error` event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: preparing(pool, options.onUnprepared) }),
    plugins: [camelCase],
  });
  return { db, pool, close: () => (closing ??= pool.end()) };
}

function withoutSslMode(connectionString: string): string {
  return connectionString.replaceAll(/(?<=[?&])(sslmode|sslrootcert|sslcert|sslkey)=[^&]*&?/g, '');
}
