import type { RecordType } from '@profile-service/contracts';
import { expressionBuilder, type Kysely, type SqlBool, type Expression } from 'kysely';
import { inScope, type OrganizationScope, type ScopedTable } from '../scope/scope.ts';
import type { DB } from '../schema.gen.ts';
import { queries } from './compile.ts';
import type { Values } from './placeholders.ts';
import { Statement } from './statement.ts';

/** The records that have a version. An organization scope has the version of its membership. */
export type VersionedType = Exclude<RecordType, 'membership' | 'organizationLink'>;

interface VersionedTable {
  table: keyof DB;
  /** The fields of the input that identify the record. */
  key: readonly string[];
  isScoped?: true;
  hasDeletedAt?: true;
}

const tables: Record<VersionedType, VersionedTable> = {
  user: { table: 'users', key: ['id'], hasDeletedAt: true },
  organizationScope: { table: 'memberships', key: ['userId', 'tenantId'] },
  customer: { table: 'customers', key: ['id'] },
  app: { table: 'apps', key: ['id'] },
  tenant: { table: 'tenants', key: ['id'] },
  organization: { table: 'organizations', key: ['id'], isScoped: true },
  organizationAddress: { table: 'organizationAddresses', key: ['id'], isScoped: true },
  organizationContact: { table: 'organizationContacts', key: ['id'], isScoped: true },
  documentType: { table: 'documentTypes', key: ['id'] },
  state: { table: 'states', key: ['stateCode'] },
  city: { table: 'cities', key: ['ibgeCode'] },
  attachment: { table: 'attachments', key: ['id'], isScoped: true },
};

/**
 * Declares the statement that reads the version of a live record in scope and locks the record until the end of the transaction. Of two transactions that
 * read a version to change its record, the second one waits, and then reads the version that the first one has written.
 */
export function lockVersionStatement(type: VersionedType): Statement<'scoped', Values, { version: number }> {
  const { table, key, isScoped, hasDeletedAt } = tables[type];
  // Kysely cannot infer the columns if the table is a variable.
  const anyTables = queries as unknown as Kysely<Record<string, Record<string, unknown>>>;
  const eb = expressionBuilder<Record<string, Record<string, unknown>>, string>();
  const predicates = (p: Values, scope: OrganizationScope): Expression<SqlBool>[] => [
    ...key.map((column) => eb(`${table}.${column}`, '=', p[column])),
    ...(hasDeletedAt ? [eb(`${table}.deletedAt`, 'is', null)] : []),
    ...(isScoped ? [inScope(table as ScopedTable, scope)] : []),
  ];
  return new Statement((p: Values, scope: OrganizationScope) =>
    anyTables
      .selectFrom(table as string)
      .select(`${table}.version`)
      .where(eb.and(predicates(p, scope)))
      .forNoKeyUpdate(),
  );
}
