import { authorityIn, type ConnectOptions } from '@profile-service/db';
import type { DataSettings } from './settings.ts';

/** Returns the options of a connection for work that needs a session. With DATABASE_DIRECT_URL, DATABASE_URL may be the address of a connection pooler. */
export function directConnection({
  DATABASE_URL: url,
  DATABASE_DIRECT_URL: directUrl = url,
  DATABASE_CA_FILE: caFile,
  DATABASE_STATEMENT_TIMEOUT_SECONDS: statementTimeoutSeconds,
}: Pick<DataSettings, 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_CA_FILE' | 'DATABASE_STATEMENT_TIMEOUT_SECONDS'>): Pick<
  ConnectOptions,
  'connectionString' | 'ca' | 'statementTimeoutSeconds'
> {
  return { connectionString: directUrl, ...authorityIn(caFile), statementTimeoutSeconds };
}
