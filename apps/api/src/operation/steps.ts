import type { Authenticator } from '@profile-service/auth';
import type { Endpoint } from '@profile-service/contracts';
import type { Database } from '@profile-service/db';
import type { AnyHandler, Services } from '../handler/handler.ts';
import type { ConcurrencyLimits } from '../limits/concurrency-limits.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { Step } from './run.ts';
import { authenticate } from './steps/authenticate.ts';
import { authorize } from './steps/authorize.ts';
import { encode } from './steps/encode.ts';
import { handle } from './steps/handle.ts';
import { inTransaction } from './steps/in-transaction.ts';
import { limitRate } from './steps/limit-rate.ts';
import { limitOutboundBuffer } from './steps/limit-outbound-buffer.ts';
import { loadCaller } from './steps/load-caller.ts';
import { ownTransactions } from './steps/own-transactions.ts';
import { readDatabase } from './steps/read-database.ts';
import { readInput } from './steps/read-input.ts';
import { requireOwnTenant } from './steps/require-own-tenant.ts';
import { validate } from './steps/validate.ts';
import { withDatabaseSlot } from './steps/with-database-slot.ts';
import { withFileSlot } from './steps/with-file-slot.ts';
import { withUpload } from './steps/with-upload.ts';
import type { Transactions } from './transactions.ts';

/** What the steps work with. */
export interface StepParts {
  authenticator: Authenticator;
  database: Database;
  transactions: Transactions;
  services: Services;
  rateLimits: RateLimits;
  concurrency: ConcurrencyLimits;
}

/**
 * The steps of an endpoint, in the order in which every call passes them. A step that an endpoint does not need is not in its list. The steps within
 * `with…` and `in…` run while the slot or the transaction is held.
 */
export function stepsOf(endpoint: Endpoint, handler: AnyHandler, parts: StepParts): readonly Step[] {
  const { authenticator, database, transactions, services, rateLimits, concurrency } = parts;

  // Who calls is checked again after a wait: rights that were revoked meanwhile count.
  const reauthorize = [authenticate(authenticator), loadCaller(authenticator), authorize];
  const withSlot = (steps: readonly Step[]) =>
    withDatabaseSlot(concurrency.database, [...reauthorize, requireOwnTenant], [limitOutboundBuffer(concurrency.outboundBuffer), ...steps]);

  const work = handler.ownsTransaction
    ? [ownTransactions(database, transactions, withSlot), handle(handler)]
    : endpoint.method === 'GET'
      ? [withSlot([readDatabase(database, transactions, [handle(handler)])])]
      : [withSlot([inTransaction(transactions, [handle(handler)])])];
  const checkInput = [validate(endpoint), requireOwnTenant];

  const rest = {
    json: [readInput, ...(endpoint.body ? reauthorize : []), ...checkInput, ...work, encode(endpoint)],
    download: [withFileSlot(concurrency.downloads, [readInput, ...reauthorize, ...checkInput, ...work, encode(endpoint)])],
    upload: [
      withFileSlot(concurrency.uploads, [withUpload(handler, services, [...reauthorize, ...checkInput, ...work, encode(endpoint)])]),
    ],
  };

  return [
    authenticate(authenticator),
    ...(rateLimits.caller ? [limitRate(rateLimits.caller)] : []),
    loadCaller(authenticator),
    limitOutboundBuffer(concurrency.outboundBuffer),
    authorize,
    ...(endpoint.reachesIdentityProvider && rateLimits.identity ? [limitRate(rateLimits.identity)] : []),
    ...rest[endpoint.media],
  ];
}
