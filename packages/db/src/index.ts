/*
 * Three ways to send SQL:
 *
 * 1. A statement that is declared once, such as `statement((db, p: Placeholders<{ id: string }>) => db.selectFrom('apps')…)`. Handlers have no other way. They
 *    run it with `unscoped` or `scoped`, in a transaction or not: `unscoped.first(getApp, { id })`. It is prepared under a name, so the number of texts is
 *    bounded. `pageStatement` and `patchStatement` declare lists and partial updates.
 * 2. A query of Kysely in a transaction of `Database.db`, or outside of one, for jobs and commands.
 * 3. `sql` for migrations and jobs. `Database.pool` and `transactionOf` are for libraries that bring their own SQL, such as the job queue.
 */

export type { OrganizationScope, ScopedTable } from './scope/scope.ts';
export type { ScopedTables } from './scope/scoped-tables.ts';
export type { UnscopedTables, Row, UnscopedReason } from './scope/unscoped-tables.ts';

export { errorCodeOf } from './sql/constraints.ts';
export { contains } from './sql/filters.ts';
export { newId } from './sql/ids.ts';
export { now } from './sql/now.ts';
export { columns, fieldsOf, ifGiven, type Placeholder, type Placeholders, whenGiven } from './sql/placeholders.ts';

export { currentAddress, hasCurrentAddress } from './queries/current-address.ts';
export { backupLock, noBackupRuns } from './queries/backup-lock.ts';
export { addressColumns, contactColumns } from './queries/organization-parts.ts';
export { directionsOf, type Position } from './queries/order.ts';
export { pageStatement, type PageStatement, scopedPageStatement } from './queries/page.ts';
export { patchStatement, scopedPatchStatement } from './queries/patch.ts';
export { type LockedOrganization, scoped, type ScopedDatabase } from './queries/scoped-database.ts';
export type { StatementRunner } from './queries/runner.ts';
export { scopedStatement, type Statement, statement, type StatementKind, unscopedStatement } from './queries/statement.ts';
export { type UnscopedDatabase, transactionOf, unscoped } from './queries/unscoped-database.ts';
export { lockVersionStatement } from './queries/versions.ts';

export {
  type AuditPartitionOptions,
  checkAuditPartitions,
  maintainAuditPartitions,
  MissingAuditPartitionError,
} from './journal/audit-partitions.ts';
export { endEarlierTimeline } from './journal/end-earlier-timeline.ts';
export { comparePositions, type EventPosition, firstPosition, UnknownEventPositionError } from './journal/event-position.ts';
export { type EventAudience, userFieldsOfApplications } from './journal/event-scope.ts';
export { type EventStart, findEventStart } from './journal/find-event-start.ts';
export { findNewEvents, type NewEvent } from './journal/find-new-events.ts';
export { type EventPage, type EventQuery, type EventRow, findEventsForWebhook, readEvents } from './journal/read-events.ts';
export { type Export, recordExport } from './journal/record-export.ts';
export { recordRefusal, type Refusal } from './journal/record-refusal.ts';
export { type Actor, type RecordedPart, recordWrite, recordWriteOfPart, type WriteOrigin } from './journal/record-write.ts';
export { type EntryFilters, listVisibleEntries, type RelatedChange, type VisibleEntry } from './journal/visible-entries.ts';

export { authorityIn } from './connection/certificate-authority.ts';
export { checkSession, SessionError, type SessionProblem } from './connection/check-session.ts';
export { connect, type ConnectOptions, type Database } from './connection/database.ts';
export type { Executor } from './connection/executor.ts';
export { connectForMaintenance } from './connection/maintenance-client.ts';
export type { DatabaseObserver, StartStatement } from './connection/observer.ts';
export type { CancellableRequest } from './connection/reads.ts';
export { NotAReplicaError, OtherServerError, PrimaryPositionError, ReplicaLagError } from './connection/replica/errors.ts';
export { Replica, type ReplicaOptions } from './connection/replica/replica.ts';
export { retryTransaction } from './connection/retry-transaction.ts';
export { EncodedRows, type EncodeRow } from './connection/rows.ts';
export { ServerVersionError } from './connection/server-version.ts';
export { sessionSettings } from './connection/session-settings.ts';
export { isDeadlock, isUnavailable } from './connection/unavailable.ts';

export {
  type CallerInvalidationListener,
  listenForCallerInvalidations,
  type ListenOptions,
} from './invalidation/caller-invalidation-listener.ts';
export {
  type CallerInvalidation,
  callerInvalidationNotices,
  mergeCallerInvalidations,
  notifiedSubjects,
  type TransactionInvalidation,
} from './invalidation/caller-invalidation.ts';

export { addReplayBatch, type EventRange, findReplayRange, lockReplayedWebhook, type ReplayFilters } from './webhooks/add-replay.ts';
export { lockWebhookProgress, retryDelivery, skipDelivery } from './webhooks/change-delivery.ts';
export {
  addDeliveries,
  deleteObsoleteDeliveries,
  type Delivery,
  findDueDeliveries,
  hasMaxPending,
  moveProgress,
} from './webhooks/deliveries.ts';
export { type DeliverableWebhook, isDeliverable, listDeliverableWebhooks } from './webhooks/deliverable-webhooks.ts';
export { getDelivery, listDeliveries, type LoggedDelivery } from './webhooks/find-deliveries.ts';
export { type AttemptResult, disableWebhook, type LoggedAttempt, recordAttempts } from './webhooks/record-attempts.ts';
export { sendPendingNow } from './webhooks/send-pending-now.ts';

export {
  cancelImport,
  getImport,
  type ImportResultRow,
  type ImportRow,
  insertImport,
  listImportResults,
  listImports,
  type NewImport,
} from './imports/find-imports.ts';
export {
  deleteOldImports,
  type DryRunRecord,
  findDryRunRecords,
  findUnknownImportFiles,
  finishImport,
  type ImportRowResult,
  listRunnableImports,
  saveDryRunRecord,
  saveImportResults,
  startImport,
} from './imports/run-imports.ts';

export { jobSchema } from './jobs/install.ts';

export { checkSchema, MissingMigrationsError, unknownMigrations } from './migrations/check-schema.ts';
export { migrate } from './migrations/migrate.ts';

export {
  type Claim,
  type ClaimedRequest,
  claimIdempotencyKey,
  claimSeconds,
  deleteExpiredIdempotencyKeys,
  type KeyedRequest,
  releaseIdempotencyKey,
  renewIdempotencyClaim,
  storeIdempotentResponse,
  type StoredResponse,
} from './idempotency-keys.ts';
export type { DB } from './schema.gen.ts';
