import type pg from 'pg';

/** The oldest major version of PostgreSQL that the migrations and the service work with. */
const oldestVersion = 15;

/** The server is too old. The message says which version is required. */
export class ServerVersionError extends Error {}

/**
 * Checks the version of the server.
 * @param versionNumber its `server_version_num`, such as 150014 for 15.14
 * @throws ServerVersionError if it is older than 15
 */
export function assertServerVersion(versionNumber: number): void {
  const major = Math.floor(versionNumber / 10_000);
  if (major < oldestVersion) throw new ServerVersionError(`PostgreSQL ${major} is too old: version ${oldestVersion} or later is required`);
}

/** Asks the server for its version. @throws ServerVersionError if it is too old, or the error of the query */
export async function checkServerVersion(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ version: number }>(`select current_setting('server_version_num')::int as version`);
  assertServerVersion(rows[0]?.version ?? 0);
}
