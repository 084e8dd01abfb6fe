/** Node's codes of a connection that could not be made or broke. */
const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** OpenSSL's and Node's codes of a certificate that is not accepted, and of TLS that did not come about. */
const tlsCodes = /CERT|SIGNATURE|^ERR_(SSL|TLS)/;

/**
 * SQLSTATE of a server that stops, starts or restores (57P01–57P05), is out of connections (53300), cancelled a statement that ran
 * into its time limit (57014) or a transaction that waited for another which waited for it (40P01), became a standby during a
 * failover (25006), of a broken connection (class 08), or of one that is refused: a login that changed (class 28), a database
 * that is not there (3D000).
 */
const serverCodes = /^(57P0\d|53300|57014|40P01|25006|3D000|08...|28...)$/;

/** The messages of pg and its pool for faults that have no code. */
const clientMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed)/;

/**
 * Whether the error means that the database is out of reach for the moment and not that a statement is at fault:
 * what the API answers as 503 SERVICE_UNAVAILABLE.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return code ? connectionCodes.has(code) || serverCodes.test(code) || tlsCodes.test(code) : clientMessages.test(error.message);
}

/** Whether two transactions waited for each other and PostgreSQL ended this one: done again, it finds the other one finished. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '40P01';
}
