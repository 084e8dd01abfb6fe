import { recordOf, type VersionedType } from '@profile-service/contracts';
import { expressionBuilder, type Kysely, type SqlBool, type Expression } from 'kysely';
import { inScope, type ScopeParameters, type ScopedTable } from '../scope/scope.ts';
import { queries } from '../sql/compile.ts';
import type { Values } from '../sql/placeholders.ts';
import { Statement } from './statement.ts';

/**
 * Declares the statement that reads the version of a live record in scope and locks the record until the end of the transaction. Of two transactions that
 * read a version to change its record, the second one waits, and then reads the version that the first one has written.
 */
export function lockVersionStatement(type: VersionedType): Statement<'scoped', Values, { version: number }> {
  const { table, key, isScoped, isSoftDeleted } = recordOf(type);
  // Kysely cannot infer the columns if the table is a variable.
  const anyTables = queries as unknown as Kysely<Record<string, Record<string, unknown>>>;
  const eb = expressionBuilder<Record<string, Record<string, unknown>>, string>();
  const predicates = (p: Values, scope: ScopeParameters): Expression<SqlBool>[] => [
    ...key.map((column) => eb(`${table}.${column}`, '=', p[column])),
    ...(isSoftDeleted ? [eb(`${table}.deletedAt`, 'is', null)] : []),
    ...(isScoped ? [inScope(table as ScopedTable, scope)] : []),
  ];
  return new Statement((p: Values, scope: ScopeParameters) =>
    anyTables
      .selectFrom(table)
      .select(`${table}.version`)
      .where(eb.and(predicates(p, scope)))
      .forNoKeyUpdate(),
  );
}
