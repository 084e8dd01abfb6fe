/** Node's error codes for a connection that failed or broke, and for a machine without ports, files or memory for one. */
const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNABORTED',
  'EHOSTDOWN',
  'ENETDOWN',
  'ENETRESET',
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
]);

/** OpenSSL's and Node's error codes for a rejected certificate or a failed TLS handshake. */
const tlsCodes = /CERT|SIGNATURE|^EPROTO$|^ERR_(SSL|TLS)/;

/**
 * SQLSTATE values for:
 * - a server that stops, starts or recovers (57P01–57P05), or became a standby (25006)
 * - a server without resources, such as connections, memory or disk space (class 53), and one whose files cannot be read or written (class 58)
 * - a statement or a transaction over its time limit (57014, 25P04), a transaction that was idle for too long (25P03), and a deadlock (40P01)
 * - a broken connection (class 08), a rejected login (class 28), and an absent database (3D000)
 */
const serverCodes = /^(57P0\d|53...|58...|57014|25P0[34]|40P01|25006|3D000|08...|28...)$/;

/** Messages of errors without a code, from pg and its pool. */
const clientMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed)/;

/**
 * Whether the database is unavailable. False if the statement is wrong.
 * The API responds with 503 SERVICE_UNAVAILABLE.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return code ? connectionCodes.has(code) || serverCodes.test(code) || tlsCodes.test(code) : clientMessages.test(error.message);
}

/** Whether PostgreSQL rolled the transaction back because of a deadlock. See `retryTransaction`. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '40P01';
}
