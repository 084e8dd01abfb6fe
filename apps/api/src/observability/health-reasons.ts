import { IssuerMismatchError, IssuerResponseError, RedisVersionError } from '@profile-service/auth';
import {
  MissingAuditPartitionError,
  MissingMigrationsError,
  NotAReplicaError,
  OtherServerError,
  PrimaryPositionError,
  ReplicaLagError,
  ServerVersionError,
  SessionError,
} from '@profile-service/db';
import { IdentityAccessError } from './check-identity-access.ts';
import { cacheTls, databaseTls, explainTls, identityTls, storageTls } from './tls-reasons.ts';

/*
 * These functions explain an outage to the operator: what is wrong and what to do. The explanations contain no secret. Different errors with
 * the same remedy have the same explanation.
 */

export function explainDatabase(error: unknown, setting = 'DATABASE_URL'): string {
  if (error instanceof MissingMigrationsError) return `${error.message}. Run the migration.`;
  if (error instanceof SessionError) return explainSession(error);
  if (error instanceof ServerVersionError) return `${error.message}. Upgrade PostgreSQL, or correct ${setting}.`;
  const code = codeOf(error);
  if (code === '08P01' && messageOf(error).includes('startup parameter')) return unexpectedPooler;
  // pg rejects an empty password itself, without a code.
  if (code === '28P01' || messageOf(error).startsWith('SASL'))
    return `PostgreSQL rejects the user or the password in ${setting}: correct them.`;
  if (code.startsWith('28')) return `PostgreSQL rejects the login: check the user in ${setting} and the server’s pg_hba.conf.`;
  if (code === '3D000') return `The database named in ${setting} does not exist: create it or correct the name.`;
  if (code === '42501') return `The user in ${setting} may not use the database: grant it the right to connect.`;
  if (code === '53300') return 'PostgreSQL has no connection left: lower DATABASE_POOL_MAX or raise max_connections.';
  if (code.startsWith('57P')) return 'PostgreSQL is starting or stopping: wait, or see its log.';
  const tls = explainTls(code, messageOf(error), databaseTls(setting));
  if (tls) return tls;
  if (isTimeout(error)) return 'PostgreSQL does not respond in time: check its load and the network.';
  if (isConnection(error)) return `PostgreSQL cannot be reached: check that it runs, and the host and port in ${setting}.`;
  return `PostgreSQL fails a simple query${inBrackets(code)}: see its log.`;
}

const unexpectedPooler = 'DATABASE_URL leads to a connection pooler: set DATABASE_DIRECT_URL to the address of PostgreSQL.';

function explainSession({ problem, message }: SessionError): string {
  if (problem === 'unexpected pooler') return unexpectedPooler;
  if (problem === 'prepared statements')
    return 'The connection pooler in DATABASE_URL does not carry prepared statements: set DATABASE_PREPARED_STATEMENTS=false.';
  return `The connection pooler in DATABASE_URL does not set ${message}: add them to its connect_query.`;
}

export function explainReplica(error: Error): string {
  const code = codeOf(error);
  if (code === '42501')
    return 'A database user may not compare the servers: let it execute pg_control_system and the other pg_control functions.';
  if (error instanceof PrimaryPositionError)
    return 'The position of the primary cannot be read, so reads use the primary: see the database.';
  if (error instanceof NotAReplicaError) return `DATABASE_REPLICA_URL does not name a usable replica: ${error.message}.`;
  if (error instanceof OtherServerError) return 'DATABASE_REPLICA_URL leads to different servers: name one server, not a load balancer.';
  if (error instanceof ReplicaLagError) return 'The replica is more than 5 seconds behind the primary: check its load and its replication.';
  return explainDatabase(error, 'DATABASE_REPLICA_URL');
}

export function explainIdentity(error: unknown): string {
  if (error instanceof IdentityAccessError) return explainAccess(error);
  if (error instanceof IssuerMismatchError)
    return `${error.message}: set IDENTITY_REALM_URL and IDENTITY_AUTH_URL to the issuers, exactly as in \`iss\` of the tokens.`;
  if (error instanceof IssuerResponseError) {
    return error.status === 404
      ? 'The identity provider does not know the realm: check IDENTITY_REALM_URL and IDENTITY_AUTH_URL.'
      : `The identity provider responds with status ${error.status}: see its log.`;
  }
  const tls = explainTls(codeOf(error), messageOf(error), identityTls);
  if (tls) return tls;
  if (isTimeout(error)) return 'The identity provider does not respond in time: check its load and the network.';
  if (isConnection(error)) {
    return 'The identity provider cannot be reached: check that it runs, IDENTITY_REALM_URL, IDENTITY_AUTH_URL and IDENTITY_INTERNAL_URL.';
  }
  return 'The identity provider’s response is not an OpenID configuration or key set: check IDENTITY_REALM_URL and IDENTITY_AUTH_URL.';
}

function explainAccess({ problem, message }: IdentityAccessError): string {
  if (problem === 'credentials')
    return 'The identity provider rejects the service’s client: check IDENTITY_CLIENT_ID and IDENTITY_CLIENT_SECRET, and that its service account is enabled.';
  if (problem === 'roles') return `${message} of realm-management: assign view-users and manage-users, otherwise no user can be created.`;
  if (problem === 'clock')
    return 'The clocks of this machine and of the identity provider differ by more than 5 seconds: synchronize both, for example with NTP.';
  return `${message}: see the log of the identity provider.`;
}

export function explainStorage(error: unknown): string {
  // Its message is for the operator. Observability imports no integration, so the name identifies it.
  if (error instanceof Error && error.name === 'StorageConfigurationError') return error.message;
  const code = codeOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'The folder STORAGE_DIR does not exist: create it or correct the path.';
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return 'The folder STORAGE_DIR cannot be written: grant this process write access.';
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The folder STORAGE_DIR has no space left: free disk space.';
  const status = statusOf(error);
  if (status === 404) return 'The bucket STORAGE_BUCKET does not exist: create it or correct the name.';
  if (status === 401 || status === 403) {
    return 'The storage rejects the key: check STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY and the key’s rights on STORAGE_BUCKET.';
  }
  if (status === 301 || status === 400) return 'The storage rejects the request: check STORAGE_REGION and STORAGE_FORCE_PATH_STYLE.';
  if (status !== undefined) return `The storage responds with status ${status}: see its log.`;
  const tls = explainTls(code, messageOf(error), storageTls);
  if (tls) return tls;
  if (isTimeout(error)) return 'The storage does not respond in time: check its load and the network.';
  return `The storage cannot be reached${inBrackets(code)}: check that it runs, and STORAGE_ENDPOINT.`;
}

export function explainCache(error: unknown): string {
  if (error instanceof RedisVersionError) return `${error.message}. Upgrade Redis, or correct REDIS_URL.`;
  const message = messageOf(error);
  if (message.startsWith('NOAUTH')) return 'Redis requires a password: add it to REDIS_URL, as in redis://:password@host:6379.';
  if (/^(WRONGPASS|ERR AUTH|ERR invalid password)/.test(message))
    return 'Redis rejects the user or the password in REDIS_URL: correct them.';
  if (message.startsWith('NOPERM')) return 'The Redis user in REDIS_URL lacks a right: allow it all commands on all keys.';
  const tls = explainTls(codeOf(error), message, cacheTls);
  if (tls) return tls;
  if (/^(READONLY|MISCONF|OOM)/.test(message)) return 'Redis accepts no writes: see its log.';
  // Redis without TLS does not respond to a client with TLS.
  if (codeOf(error) === 'ETIMEDOUT')
    return 'Redis does not accept the connection in time: check the host and port in REDIS_URL, and with rediss that Redis uses TLS there.';
  return 'Redis does not respond: check that it runs, and the host and port in REDIS_URL.';
}

/** Returns null if the check itself failed: the check of the database says why. */
export function explainAuditPartitions(error: unknown): string | null {
  if (!(error instanceof MissingAuditPartitionError)) return null;
  return `${error.message}: without it, no write succeeds then. Run the migration, or see why the job audit-partitions fails.`;
}

/** The code of the error or of its cause: Node's, SQLSTATE or OpenSSL's; empty if there is none. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error instanceof AggregateError ? error.errors[0] : error.cause);
}

/** The HTTP status of an AWS SDK error or of its cause. */
function statusOf(error: unknown): number | undefined {
  const { $metadata, cause } = (error ?? {}) as { $metadata?: { httpStatusCode?: number }; cause?: unknown };
  return $metadata?.httpStatusCode ?? (cause === undefined ? undefined : statusOf(cause));
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');
const inBrackets = (code: string): string => (code === '' ? '' : ` (${code})`);

/** Recognizes the different names of a timeout: ETIMEDOUT, TimeoutError, "Query read timeout", SQLSTATE 57014. */
function isTimeout(error: unknown): boolean {
  const name = error instanceof Error ? error.name : '';
  return /57014|time(d ?)?out/i.test(`${codeOf(error)} ${name} ${messageOf(error)}`);
}

/** Recognizes Node's codes such as ECONNREFUSED, SQLSTATE class 08, and the errors of pg and fetch that have no code. */
const isConnection = (error: unknown): boolean =>
  /^(E[A-Z_]+|08...)$/.test(codeOf(error)) || /^(Connection terminated|fetch failed)/.test(messageOf(error));
