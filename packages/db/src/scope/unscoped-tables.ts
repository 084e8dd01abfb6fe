import type { Selectable } from 'kysely';
import type { DB } from '../schema.gen.ts';
import type { ScopedTable } from './scope.ts';

/** A row as a query returns it. */
export type Row<T extends keyof DB> = Selectable<DB[T]>;

/** The journal, and its views. */
type ChangeTable = 'journal' | 'auditEntries' | 'events' | 'eventEpochs' | 'deletedOrganizationLinks';

/** Rows of webhooks, which are read beside their webhook. */
type WebhookTable = 'webhookDeliveries' | 'webhookProgress';

/** Rows of imports, which are read beside their import. */
type ImportTable = 'importResults' | 'importDryRunRecords';

/**
 * The tables that `statement` can use: all except the scoped tables, the rows of webhooks and of imports, the links and grants that define scopes, the counters, the journal, the
 * idempotency keys, and the view of invalid tax ids.
 */
export type UnscopedTables = Omit<
  DB,
  | ScopedTable
  | ChangeTable
  | WebhookTable
  | ImportTable
  | 'organizationTenants'
  | 'membershipOrganizations'
  | 'organizationCounts'
  | 'idempotencyKeys'
  | 'invalidFederalTaxIds'
>;

/** Why code may access rows outside the caller's scope. */
export type UnscopedReason =
  /** The endpoints that create a link (SCOPE-9), and creating an organization. */
  | 'creates the link'
  /** Ending a link, and deleting an organization. */
  | 'ends the links'
  /** The grants are replaced as a whole (MEMBERSCOPES-5). */
  | 'sets the grants of a membership'
  /** The state of an import, which runs without a caller. */
  | 'runs an import'
  /** The tables of the job queue. */
  | 'adds a job';
