import { authorityIn, type ConnectOptions } from '@profile-service/db';
import type { Settings } from '../settings.ts';

export interface DatabaseConnections {
  /** For requests. They may lead through a connection pooler in transaction mode. */
  requests: ConnectOptions;
  /** For work that needs a session: LISTEN, jobs, migrations and advisory locks. */
  direct: Pick<ConnectOptions, 'connectionString' | 'ca' | 'statementTimeoutSeconds'>;
}

/** Returns the connection options of the settings. With DATABASE_DIRECT_URL, DATABASE_URL is the address of a connection pooler. */
export function databaseConnections(settings: Settings): DatabaseConnections {
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl = url, DATABASE_PREPARED_STATEMENTS: prepare } = settings;
  const statementTimeoutSeconds = settings.DATABASE_STATEMENT_TIMEOUT_SECONDS;
  const waitMs = settings.DATABASE_POOL_TIMEOUT_SECONDS * 1000;
  const authority = authorityIn(settings.DATABASE_CA_FILE);
  return {
    requests: { connectionString: url, ...authority, prepare, hasPooler: directUrl !== url, waitMs, statementTimeoutSeconds },
    direct: { connectionString: directUrl, ...authority, statementTimeoutSeconds },
  };
}
