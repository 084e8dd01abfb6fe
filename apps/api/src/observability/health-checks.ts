import type { Issuer, RedisConnection } from '@profile-service/auth';
import { checkAuditPartitions, checkSchema, checkSession, type ConnectOptions, type Database } from '@profile-service/db';
import type { Dependency, HealthCheck, Part } from './health.ts';
import { explainAuditPartitions, explainCache, explainDatabase, explainIdentity, explainStorage } from './health-reasons.ts';

export interface CheckedDependencies {
  database: Database;
  /** How `database` was connected. */
  connection: ConnectOptions;
  issuers: readonly Issuer[];
  /** Checks the service's client at the identity provider. */
  checkIdentityAccess: () => Promise<void>;
  storage: { check(): Promise<void> };
  /** Undefined without REDIS_URL. The cache is then only in the process, and its check always succeeds. */
  redis: RedisConnection | undefined;
}

const messagesOf = (dependency: Dependency) => ({ down: `${dependency} is down`, up: `${dependency} is up again` });

/** Creates the check of each part. */
export const createHealthChecks = ({
  database,
  connection,
  issuers,
  checkIdentityAccess,
  storage,
  redis,
}: CheckedDependencies): Record<Part, HealthCheck> => ({
  database: {
    run: async () => {
      await checkSession(database.pool, connection);
      await checkSchema(database.pool);
    },
    explain: explainDatabase,
    messages: messagesOf('database'),
  },
  identity: {
    run: async () => {
      await Promise.all(issuers.map((issuer) => issuer.refresh()));
      await checkIdentityAccess();
    },
    explain: explainIdentity,
    messages: messagesOf('identity'),
  },
  storage: { run: () => storage.check(), explain: explainStorage, messages: messagesOf('storage') },
  cache: { run: async () => redis?.check(), explain: explainCache, messages: messagesOf('cache') },
  auditPartitions: {
    run: () => checkAuditPartitions(database.pool),
    explain: explainAuditPartitions,
    messages: { down: 'the audit log lacks its next partition', up: 'the audit log has its next partition again' },
  },
});
