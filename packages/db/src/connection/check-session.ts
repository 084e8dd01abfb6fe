import pg from 'pg';
import { backendKeyOf } from './backend-client.ts';
import type { ConnectOptions } from './database.ts';
import { assertServerVersion } from './server-version.ts';
import { sessionSettings } from './session-settings.ts';

/** Why the sessions of a pool are not usable. */
export type SessionProblem = 'unexpected pooler' | 'prepared statements' | 'settings';

/** The connections do not have the sessions that the service needs, because they lead through a connection pooler. */
export class SessionError extends Error {
  readonly problem: SessionProblem;

  constructor(problem: SessionProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

const checkName = 'profile_service_session_check';
const check = `
  select current_setting('server_version_num')::int as version, pg_backend_pid() as "backendId",
    exists (select from pg_prepared_statements where name = '${checkName}') as "hasName",
    array(select name from unnest($1::text[], $2::text[]) as required (name, value) where current_setting(name) <> value) as lacking`;

interface Found {
  version: number;
  backendId: number;
  hasName: boolean;
  lacking: string[];
}

/** SQLSTATE of a prepared statement that does not exist, and of one that exists already. */
const preparedStatementCodes = ['26000', '42P05'];

/**
 * Checks the version of the server, and what a connection pooler can break: prepared statements and session settings. A pooler is recognized by its process id, which differs from the
 * id of the backend. A pooler that carries prepared statements gives them names of its own.
 * @throws ServerVersionError, SessionError, or the error of the query
 */
export async function checkSession(pool: pg.Pool, options: ConnectOptions): Promise<void> {
  const { hasPooler = false, prepare = true } = options;
  const required = sessionSettings(options);
  const client = await pool.connect();
  try {
    const values = [Object.keys(required), Object.values(required)];
    const { rows } = await client.query<Found>({ ...(prepare && { name: checkName }), text: check, values }).catch(explainError);
    const [{ version, backendId, hasName, lacking } = { version: 0, backendId: 0, hasName: false, lacking: [] }] = rows;
    assertServerVersion(version);
    const isPooled = isBehindPooler(client, backendId);
    if (isPooled && !hasPooler) throw new SessionError('unexpected pooler', 'The connection leads through a pooler');
    if (isPooled && hasName) throw new SessionError('prepared statements', 'The pooler does not carry prepared statements');
    if (lacking.length > 0) throw new SessionError('settings', lacking.join(', '));
  } finally {
    client.release();
  }
}

/** Whether the connection leads through a pooler, which sends clients a process id of its own. @param backendId what pg_backend_pid() returns */
export const isBehindPooler = (client: pg.ClientBase, backendId: number): boolean => backendKeyOf(client).processID !== backendId;

function explainError(error: unknown): never {
  if (error instanceof pg.DatabaseError && preparedStatementCodes.includes(error.code ?? ''))
    throw new SessionError('prepared statements', error.message, { cause: error });
  throw error;
}
