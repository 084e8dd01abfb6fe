export { backupLock, noBackupRuns } from './backup-lock.ts';
export { authorityIn } from './certificate-authority.ts';
export { type CallerInvalidationListener, listenForCallerInvalidations, type ListenOptions } from './caller-invalidation-listener.ts';
export type { CancellableRequest } from './cancellation.ts';
export {
  type CallerInvalidation,
  callerInvalidationNotices,
  mergeCallerInvalidations,
  notifiedSubjects,
  type TransactionInvalidation,
} from './caller-invalidation.ts';
export { checkSchema, MissingMigrationsError, unknownMigrations } from './check-schema.ts';
export { checkSession, SessionError, type SessionProblem } from './check-session.ts';
export { recordRefusal, type Refusal } from './changes/record-refusal.ts';
export {
  type AuditPartitionOptions,
  checkAuditPartitions,
  maintainAuditPartitions,
  MissingAuditPartitionError,
} from './changes/audit-partitions.ts';
export { deleteOldEvents, type DeleteOldEventsOptions } from './changes/delete-old-events.ts';
export { type ChangeEvent, type EventPosition, readEvents, UnknownEventPositionError } from './changes/read-events.ts';
export { type Actor, recordWrite, type WriteOrigin } from './changes/record-write.ts';
export type { EntryFilters, RelatedChange, VisibleEntry } from './changes/visible-entries.ts';
export { errorCodeOf } from './constraints.ts';
export { connect, type ConnectOptions, type Database } from './database.ts';
export { sessionSettings } from './session-settings.ts';
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
export { endEarlierTimeline } from './end-earlier-timeline.ts';
export { newId } from './ids.ts';
export { type JobData, type JobName, jobSchema, queues } from './jobs/queues.ts';
export { connectForMaintenance } from './maintenance-client.ts';
export { migrate } from './migrate.ts';
export type { Executor } from './execution/executor.ts';
export { EncodedRows, type EncodeRow } from './execution/encoded-rows.ts';
export type { DatabaseObserver, StartStatement } from './execution/observer.ts';
export { type HandlerDatabase, transactionOf, withoutScopedTables } from './handler-database.ts';
export type { HandlerTables, Row, UnscopedReason } from './handler-tables.ts';
export { addressColumns, contactColumns } from './organization-parts.ts';
export { NotAReplicaError, OtherServerError, PrimaryPositionError, ReplicaLagError } from './replica/errors.ts';
export { Replica, type ReplicaOptions } from './replica/replica.ts';
export { retryTransaction } from './retry-transaction.ts';
export type { DB } from './schema.gen.ts';
export type { OrganizationScope, ScopedTable } from './scope.ts';
export { type LockedOrganization, scoped, type ScopedDatabase } from './scoped-database.ts';
export { ServerVersionError } from './server-version.ts';
export { contains, equalsText } from './statements/filters.ts';
export { now } from './statements/now.ts';
export { type Page, pageStatement, scopedPageStatement } from './statements/page.ts';
export { patchStatement, scopedPatchStatement } from './statements/patch.ts';
export { columns, fieldsOf, ifGiven, type Placeholders } from './statements/placeholders.ts';
export { scopedStatement, statement, unscopedStatement } from './statements/statement.ts';
export { isDeadlock, isUnavailable } from './unavailable.ts';
export { lockVersionStatement, type VersionedType } from './versions.ts';
