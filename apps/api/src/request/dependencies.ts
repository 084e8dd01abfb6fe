import type { Authenticator } from '@profile-service/auth';
import type { Database } from '@profile-service/db';
import type { WaitForEvents } from './feed.ts';
import type { HandlerDependencies } from './handler.ts';
import type { IdempotencyClaims } from './idempotency-claims.ts';
import type { EventStreams } from './limits/event-streams.ts';
import type { ConcurrencyLimits } from './limits/concurrency-limits.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import type { ReadReplica } from './read-replica.ts';
import type { Transactions } from './transactions.ts';

/** How exports read. */
export interface Exports {
  /** On connections of its own: a snapshot occupies one until its client has read all. */
  database: Pick<Database, 'snapshot' | 'executor'>;
  /** How long an export may take, in seconds. */
  maxSeconds: number;
}

/** What the steps of all requests use. */
export interface RequestDependencies {
  authenticator: Authenticator;
  database: Database;
  replica: ReadReplica | undefined;
  transactions: Transactions;
  handlerDependencies: HandlerDependencies;
  rateLimits: RateLimits;
  concurrency: ConcurrencyLimits;
  idempotencyClaims: IdempotencyClaims;
  events: WaitForEvents;
  exports: Exports;
  eventStreams: EventStreams;
}
