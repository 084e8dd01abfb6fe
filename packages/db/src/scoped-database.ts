import type {
  DeleteQueryBuilder,
  DeleteResult,
  InsertObject,
  InsertQueryBuilder,
  InsertResult,
  Kysely,
  SelectQueryBuilder,
  UpdateQueryBuilder,
  UpdateResult,
} from 'kysely';
import { lockAttachmentTarget } from './attachment-target.ts';
import type { HandlerDatabase } from './handler-database.ts';
import { type PatchValues, patchWhere, type Row } from './patch.ts';
import type { DB } from './schema.gen.ts';
import { alternativesInScope, documentInScope, inScope, type OrganizationScope, type ScopedTable } from './scope.ts';

/**
 * The scoped tables as one caller sees them: the only way in which handlers reach them. Selects, updates and deletes start with the predicate
 * of the scope already in place; soft-deleted organizations and attachments, and what belongs to them, are out of everybody's sight.
 */
export interface ScopedDatabase {
  organizations(): SelectQueryBuilder<DB, 'organizations', object>;
  addresses(): SelectQueryBuilder<DB, 'organizationAddresses', object>;
  contacts(): SelectQueryBuilder<DB, 'organizationContacts', object>;
  attachments(): SelectQueryBuilder<DB, 'attachments', object>;
  /** The attachments that are documents of an organization in scope, which `entityId` names. */
  documents(): SelectQueryBuilder<DB, 'attachments', object>;
  updateTable<T extends ScopedTable>(table: T): UpdateQueryBuilder<DB, T, T, UpdateResult>;
  deleteFrom<T extends DeletableTable>(table: T): DeleteQueryBuilder<DB, T, DeleteResult>;
  /** As `patch`, for a row in scope. */
  patch<T extends ScopedTable>(table: T, id: string, changes: PatchValues<T>): Promise<Row<T> | undefined>;
  /** Whether the organization is live and in scope. */
  isInScope(organizationId: string): Promise<boolean>;
  /**
   * Whether an attachment may be given the id: that of a live organization in scope, which stays one until the end of the transaction, or that of no
   * organization.
   */
  lockAttachmentTarget(entityId: string): Promise<boolean>;
  /**
   * Locks an organization until the end of the transaction, so that two changes of its addresses or of its primary contact follow each other.
   * undefined when it is not in scope.
   */
  lockOrganization(organizationId: string): Promise<LockedOrganization | undefined>;
  /** An upload belongs to the active tenant, whose id the scope supplies. */
  insertAttachment(values: Omit<InsertObject<DB, 'attachments'>, 'tenantId'>): InsertQueryBuilder<DB, 'attachments', InsertResult>;
}

/** The others are deleted softly, which is an update. */
type DeletableTable = 'organizationAddresses' | 'organizationContacts';

/** An organization whose addresses and contacts nobody else changes at the same time. */
export interface LockedOrganization {
  insertAddress(
    values: Omit<InsertObject<DB, 'organizationAddresses'>, 'organizationId'>,
  ): InsertQueryBuilder<DB, 'organizationAddresses', InsertResult>;
  insertContact(
    values: Omit<InsertObject<DB, 'organizationContacts'>, 'organizationId'>,
  ): InsertQueryBuilder<DB, 'organizationContacts', InsertResult>;
}

/** The scoped tables of `db`, or of the transaction, as a caller with this scope sees them. */
export function scoped(db: HandlerDatabase | Kysely<DB>, scope: OrganizationScope): ScopedDatabase {
  const whole = db as unknown as Kysely<DB>;
  const organizations = () => whole.selectFrom('organizations').where(inScope('organizations', scope));
  return {
    organizations,
    addresses: () => whole.selectFrom('organizationAddresses').where(inScope('organizationAddresses', scope)),
    contacts: () => whole.selectFrom('organizationContacts').where(inScope('organizationContacts', scope)),
    attachments: () => attachmentsInScope(whole, scope),
    documents: () => whole.selectFrom('attachments').where(documentInScope(scope)),
    updateTable: <T extends ScopedTable>(table: T) =>
      (whole.updateTable(table) as unknown as UpdateQueryBuilder<DB, T, T, UpdateResult>).where(inScope(table, scope)),
    deleteFrom: <T extends DeletableTable>(table: T) =>
      (whole.deleteFrom(table) as unknown as DeleteQueryBuilder<DB, T, DeleteResult>).where(inScope(table, scope)),
    patch: (table, id, changes) => patchWhere(whole, table, (eb) => eb.and([eb(`id`, '=', id), inScope(table, scope)]), changes),
    isInScope: async (id) =>
      Boolean(await organizations().select('organizations.id').where('organizations.id', '=', id).executeTakeFirst()),
    lockAttachmentTarget: (id) => lockAttachmentTarget(whole, scope, id),
    lockOrganization: async (id) => {
      const locked = await organizations()
        .select('organizations.id')
        .where('organizations.id', '=', id)
        .forNoKeyUpdate()
        .executeTakeFirst();
      return locked && lockedOrganization(whole, id);
    },
    insertAttachment: (values) =>
      whole.insertInto('attachments').values({ ...values, tenantId: 'tenantId' in scope ? scope.tenantId : null }),
  };
}

/** The planner reads each alternative by an index of its own, where it would read the whole table for an `or`. */
function attachmentsInScope(whole: Kysely<DB>, scope: OrganizationScope): SelectQueryBuilder<DB, 'attachments', object> {
  const [first, second] = alternativesInScope('attachments', scope);
  const attachments = whole.selectFrom('attachments');
  if (!second) return attachments.where(first);
  const union = attachments.selectAll().where(first).unionAll(attachments.selectAll().where(second));
  return whole.selectFrom(union.as('attachments')) as unknown as SelectQueryBuilder<DB, 'attachments', object>;
}

function lockedOrganization(whole: Kysely<DB>, organizationId: string): LockedOrganization {
  return {
    insertAddress: (values) => whole.insertInto('organizationAddresses').values({ ...values, organizationId }),
    insertContact: (values) => whole.insertInto('organizationContacts').values({ ...values, organizationId }),
  };
}
