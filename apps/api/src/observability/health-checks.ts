import type { Issuer, RedisConnection } from '@profile-service/auth';
import type { Database } from '@profile-service/db';
import type { HealthCheck, HealthPart } from './health.ts';
import { explainCache, explainDatabase, explainIdentity, explainStorage } from './health-reasons.ts';

export interface CheckedParts {
  database: Database;
  issuers: readonly Issuer[];
  storage: { check(): Promise<void> };
  /** Undefined without REDIS_URL: the cache is in the process then, and never down. */
  redis: RedisConnection | undefined;
}

/** How each part is checked. */
export const createHealthChecks = ({ database, issuers, storage, redis }: CheckedParts): Record<HealthPart, HealthCheck> => ({
  database: { run: () => database.pool.query('select 1'), explain: explainDatabase },
  identity: { run: () => Promise.all(issuers.map((issuer) => issuer.refresh())), explain: explainIdentity },
  storage: { run: () => storage.check(), explain: explainStorage },
  cache: { run: async () => redis?.check(), explain: explainCache },
});
