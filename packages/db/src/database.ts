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
  /** PEM text of the authority that signed the server's certificate. If set, the connection uses TLS and verifies the certificate. */
  ca?: string;
  /** Called with the text of each statement that has parameters and is not prepared, because neither `statement` nor a similar function compiled it. */
  onUnprepared?: (text: string) => void;
  /** Name in pg_stat_activity; default `profile-service`. */
  applicationName?: string;
  /** Called when an idle connection breaks, until `close`. The pool replaces the connection. */
  onError?: (error: Error) => void;
}

export interface Database {
  db: Kysely<DB>;
  /** The pool, for its metrics and for statements outside Kysely. These are not prepared. */
  pool: pg.Pool;
  /** Waits until no connection is in use, then closes all. */
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
 * - TimeZone: parsing timestamps in UTC needs no date arithmetic.
 * - plan_cache_mode: PostgreSQL parses a prepared statement once, but plans it for each execution (about 0.1 ms for a read by id). One tenant has ten
 *   organizations and another 100,000. A plan for the average takes 100 times as long for both.
 * - random_page_cost: the default of 4 is for rotating disks, and makes PostgreSQL join whole tables for a small list.
 * - enable_mergejoin: PostgreSQL assumes that a tenant's organizations are spread evenly over all. For a tenant with 100,000 older organizations, a merge
 *   join reads all newer organizations of other tenants before the first row (270 ms instead of 0.7 ms).
 * - jit: compiling takes longer than running any of these statements.
 */
const sessionSettings = '-c TimeZone=UTC -c plan_cache_mode=force_custom_plan -c random_page_cost=1.1 -c enable_mergejoin=off -c jit=off';

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
 * Creates a connection pool, and a Kysely instance that uses it. It connects at the first query.
 * Rows have the format of responses: camelCase names, timestamps as ISO 8601 UTC text with milliseconds, bigint as number.
 *
 * Pass a jsonb parameter that can be an array as `JSON.stringify(value)`: pg converts a JavaScript array to a PostgreSQL array.
 * Keys inside JSON are not changed.
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
  // The next statement on a broken connection fails. Without a listener, the `error` event would end the process.
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
