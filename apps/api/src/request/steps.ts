import type { Authenticator } from '@profile-service/auth';
import { acceptsIdempotencyKey, acceptsIfMatch, type Endpoint, type Media, returnsVersion } from '@profile-service/contracts';
import type { Database } from '@profile-service/db';
import type { AnyHandler, HandlerDependencies } from './handler.ts';
import type { ConcurrencyLimits } from './limits/concurrency-limits.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import type { IdempotencyClaims } from './idempotency-claims.ts';
import type { ReadReplica } from './read-replica.ts';
import type { Step } from './run.ts';
import { authenticate } from './steps/authenticate.ts';
import { authorize } from './steps/authorize.ts';
import { encode } from './steps/encode.ts';
import { handle } from './steps/handle.ts';
import { inTransaction } from './steps/in-transaction.ts';
import { matchVersion } from './steps/match-version.ts';
import { limitRate } from './steps/limit-rate.ts';
import { limitOutboundBuffer } from './steps/limit-outbound-buffer.ts';
import { loadCaller } from './steps/load-caller.ts';
import { ownTransactions } from './steps/own-transactions.ts';
import { readIdempotencyKey } from './steps/read-idempotency-key.ts';
import { readIfMatch } from './steps/read-if-match.ts';
import { readInput } from './steps/read-input.ts';
import { requireOwnTenant } from './steps/require-own-tenant.ts';
import { setEntityTag } from './steps/set-entity-tag.ts';
import { validate } from './steps/validate.ts';
import { withDatabaseSlot } from './steps/with-database-slot.ts';
import { withFileSlot } from './steps/with-file-slot.ts';
import { withIdempotencyClaim } from './steps/with-idempotency-claim.ts';
import { withIdempotencyKey } from './steps/with-idempotency-key.ts';
import { withReadDatabase } from './steps/with-read-database.ts';
import { withUpload } from './steps/with-upload.ts';
import type { Transactions } from './transactions.ts';

/** The dependencies of the steps. */
export interface StepDependencies {
  authenticator: Authenticator;
  database: Database;
  replica: ReadReplica | undefined;
  transactions: Transactions;
  handlerDependencies: HandlerDependencies;
  rateLimits: RateLimits;
  concurrency: ConcurrencyLimits;
  idempotencyClaims: IdempotencyClaims;
}

/**
 * The steps of an endpoint, in the order in which every call runs them. An endpoint has only the steps that it needs. A step `with…` or `in…` contains the
 * steps that run while its slot or transaction is held.
 */
export function stepsOf(endpoint: Endpoint, handler: AnyHandler, dependencies: StepDependencies): readonly Step[] {
  const { authenticator, database, replica, transactions, handlerDependencies, rateLimits, concurrency, idempotencyClaims } = dependencies;

  // After a wait, permissions that were revoked meanwhile must not count.
  const reauthorize = [authenticate(authenticator), loadCaller(authenticator), authorize];

  const withSlot = (steps: readonly Step[]) =>
    withDatabaseSlot(concurrency.database, [...reauthorize, requireOwnTenant], [limitOutboundBuffer(concurrency.outboundBuffer), ...steps]);
  const atBegin = acceptsIfMatch(endpoint) ? [matchVersion(endpoint, handler)] : [];
  const isKeyed = acceptsIdempotencyKey(endpoint);
  const result = [...(returnsVersion(endpoint) && endpoint.media !== 'download' ? [setEntityTag(endpoint)] : []), encode(endpoint)];
  const handlerStep = handle(endpoint, handler);
  const run = [handlerStep, ...result];
  const runHandler = handler.ownsTransaction
    ? [
        ownTransactions(database, transactions, withSlot, atBegin),
        ...(isKeyed ? [withIdempotencyClaim(idempotencyClaims, handler, run, result)] : run),
      ]
    : endpoint.method === 'GET'
      ? [withSlot([withReadDatabase(database, replica, [handlerStep])]), ...result]
      : isKeyed
        ? [withSlot([inTransaction(transactions, [withIdempotencyKey(handler, run)])])]
        : [withSlot([inTransaction(transactions, [...atBegin, handlerStep])]), ...result];

  const readConditions = [readIfMatch(endpoint), ...(isKeyed ? [readIdempotencyKey] : [])];
  const afterInput = [validate(endpoint), ...readConditions, requireOwnTenant, ...runHandler];
  const read = readInput(concurrency.largeBodies);
  const readAndRun: Record<Media, readonly Step[]> = {
    json: [read, ...(endpoint.body ? reauthorize : []), ...afterInput],
    download: [withFileSlot(concurrency.downloads, [read, ...reauthorize, ...afterInput])],
    upload: [withFileSlot(concurrency.uploads, [withUpload(handler, handlerDependencies, [...reauthorize, ...afterInput])])],
  };

  return [
    authenticate(authenticator),
    ...(rateLimits.caller ? [limitRate(rateLimits.caller)] : []),
    loadCaller(authenticator),
    limitOutboundBuffer(concurrency.outboundBuffer),
    authorize,
    ...(endpoint.reachesIdentityProvider && rateLimits.identity ? [limitRate(rateLimits.identity)] : []),
    ...readAndRun[endpoint.media],
  ];
}
