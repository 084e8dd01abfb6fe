import type {
  Compilable,
  DeleteQueryBuilder,
  DeleteResult,
  InsertObject,
  InsertQueryBuilder,
  InsertResult,
  SelectQueryBuilder,
  UpdateQueryBuilder,
  UpdateResult,
} from 'kysely';
import { countInScope, type IdsQuery, idsInScope } from './organizations-in-scope.ts';
import type { DB } from '../schema.gen.ts';
import { alternativesInScope, documentInScope, inScope, type ScopeParameters, type ScopedTable } from './scope.ts';
import { queries } from '../sql/compile.ts';
import type { Placeholder } from '../sql/placeholders.ts';
import type { UnscopedTables } from './unscoped-tables.ts';

/** What a query on a scoped table can name: this table and the unscoped ones. Other scoped tables, links and grants would have no predicate of their own. */
type Schema<T extends ScopedTable> = UnscopedTables & Pick<DB, T>;
type Select<T extends ScopedTable> = SelectQueryBuilder<Schema<T>, T, object>;

/**
 * Queries on the scoped tables for one scope. Selects, updates and deletes have its predicate. It excludes soft-deleted organizations and
 * attachments, and the records of deleted organizations.
 */
export interface ScopedTables {
  organizations(): Select<'organizations'>;
  /** Those of `organizations()` that are linked to a tenant. */
  organizationsOf(tenantId: Placeholder<string>): Select<'organizations'>;
  /** The ids of `organizations()`, without reading them. */
  organizationIds(): IdsQuery;
  /** The number of `organizations()`. Its cost does not depend on the number. */
  organizationCount(): Compilable<{ total: number }>;
  addresses(): Select<'organizationAddresses'>;
  contacts(): Select<'organizationContacts'>;
  attachments(): Select<'attachments'>;
  /** The attachments that are documents of an organization in scope: `entityId` is its id. */
  documents(): Select<'attachments'>;
  /**
   * Those of the tenant of the scope; for the scope `all`, those of each tenant and those of all tenants. Their deliveries have no predicate of their own: a query
   * joins them to their webhook.
   */
  webhooks(): SelectQueryBuilder<Schema<'webhooks'> & Pick<DB, 'webhookDeliveries' | 'webhookProgress'>, 'webhooks', object>;
  /** Those of the tenant of the scope; for the scope `all`, all. Their results have no predicate of their own: a query joins them to their import. */
  imports(): SelectQueryBuilder<Schema<'imports'> & Pick<DB, 'importResults'>, 'imports', object>;
  updateTable<T extends ScopedTable>(table: T): UpdateQueryBuilder<Schema<T>, T, T, UpdateResult>;
  deleteFrom<T extends DeletableTable>(table: T): DeleteQueryBuilder<Schema<T>, T, DeleteResult>;
  /** Inserts an attachment that belongs to the tenant of the scope. */
  insertAttachment(
    values: Omit<InsertObject<Schema<'attachments'>, 'attachments'>, 'tenantId'>,
  ): InsertQueryBuilder<Schema<'attachments'>, 'attachments', InsertResult>;
  /** Inserts an import that belongs to the tenant of the scope. */
  insertImport(
    values: Omit<InsertObject<Schema<'imports'>, 'imports'>, 'tenantId'>,
  ): InsertQueryBuilder<Schema<'imports'>, 'imports', InsertResult>;
  /** Inserts a webhook of the tenant of the scope. Only the scope `all` uses the given tenant. Throws for the scopes that contain no webhook. */
  insertWebhook(values: InsertObject<Schema<'webhooks'>, 'webhooks'>): InsertQueryBuilder<Schema<'webhooks'>, 'webhooks', InsertResult>;
}

/** Rows of the other tables are soft-deleted by an update. */
type DeletableTable = 'organizationAddresses' | 'organizationContacts' | 'webhooks';

/** Returns the queries for a scope. */
export function scopedTables(scope: ScopeParameters): ScopedTables {
  const organizations = queries.selectFrom('organizations').where(inScope('organizations', scope));
  const tables = {
    organizations: () => organizations,
    organizationsOf: (tenantId: Placeholder<string>) =>
      organizations
        .innerJoin('organizationTenants', 'organizationTenants.organizationId', 'organizations.id')
        .where('organizationTenants.tenantId', '=', tenantId),
    organizationIds: () => idsInScope(scope),
    organizationCount: () => countInScope(scope),
    addresses: () => queries.selectFrom('organizationAddresses').where(inScope('organizationAddresses', scope)),
    contacts: () => queries.selectFrom('organizationContacts').where(inScope('organizationContacts', scope)),
    attachments: () => attachmentsInScope(scope),
    documents: () => queries.selectFrom('attachments').where(documentInScope(scope)),
    webhooks: () => queries.selectFrom('webhooks').where(inScope('webhooks', scope)),
    imports: () => queries.selectFrom('imports').where(inScope('imports', scope)),
    updateTable: <T extends ScopedTable>(table: T) =>
      (queries.updateTable(table) as unknown as UpdateQueryBuilder<DB, T, T, UpdateResult>).where(inScope(table, scope)),
    deleteFrom: <T extends DeletableTable>(table: T) =>
      (queries.deleteFrom(table) as unknown as DeleteQueryBuilder<DB, T, DeleteResult>).where(inScope(table, scope)),
    insertAttachment: (values: Omit<InsertObject<DB, 'attachments'>, 'tenantId'>) =>
      queries.insertInto('attachments').values({ ...values, tenantId: tenantOf(scope) }),
    insertImport: (values: Omit<InsertObject<DB, 'imports'>, 'tenantId'>) =>
      queries.insertInto('imports').values({ ...values, tenantId: tenantOf(scope) }),
    insertWebhook: (values: InsertObject<DB, 'webhooks'>) => {
      if (scope.kind !== 'all' && scope.kind !== 'tenant') throw new Error(`The scope ${scope.kind} contains no webhook`);
      return queries.insertInto('webhooks').values(scope.kind === 'tenant' ? { ...values, tenantId: scope.tenantId } : values);
    },
  };
  return tables as unknown as ScopedTables;
}

const tenantOf = (scope: ScopeParameters): Placeholder<string> | null =>
  scope.kind === 'tenant' || scope.kind === 'restricted' ? scope.tenantId : null;

/** Uses a union: PostgreSQL reads each alternative by its own index, but would read the whole table for an `or`. */
function attachmentsInScope(scope: ScopeParameters): SelectQueryBuilder<DB, 'attachments', object> {
  const [first, second] = alternativesInScope('attachments', scope);
  const attachments = queries.selectFrom('attachments');
  if (!second) return attachments.where(first);
  const union = attachments.selectAll().where(first).unionAll(attachments.selectAll().where(second));
  return queries.selectFrom(union.as('attachments')) as unknown as SelectQueryBuilder<DB, 'attachments', object>;
}
