import type { ConnectOptions } from '@profile-service/db';
import { directConnection } from '@profile-service/operations';
import type { Settings } from '../settings.ts';

export interface DatabaseConnections {
  /** For requests. They may lead through a connection pooler in transaction mode. */
  requests: ConnectOptions;
  /** For work that needs a session: LISTEN, jobs, migrations and advisory locks. */
  direct: Pick<ConnectOptions, 'connectionString' | 'ca' | 'statementTimeoutSeconds'>;
}

/** Returns the connection options of the settings. With DATABASE_DIRECT_URL, DATABASE_URL is the address of a connection pooler. */
export function databaseConnections(settings: Settings): DatabaseConnections {
  const { DATABASE_URL: url, DATABASE_PREPARED_STATEMENTS: prepare } = settings;
  const waitMs = settings.DATABASE_POOL_TIMEOUT_SECONDS * 1000;
  const direct = directConnection(settings);
  return {
    requests: { ...direct, connectionString: url, prepare, hasPooler: direct.connectionString !== url, waitMs },
    direct,
  };
}
