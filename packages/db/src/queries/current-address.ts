import { type Expression, sql, type SqlBool } from 'kysely';
import type { Row } from '../scope/unscoped-tables.ts';
import { addressColumns } from './organization-parts.ts';

const currentAddressOf = sql`from organization_addresses address where address.id = organizations.organization_address_id`;

/** Whether the current address of the organization is in this state or city. */
export const hasCurrentAddress = (column: 'stateCode' | 'cityCode', code: Expression<number>): Expression<SqlBool> =>
  sql`exists (select ${currentAddressOf} and ${sql.ref(`address.${column}`)} = ${code})`;

type CurrentAddress = Pick<Row<'organizationAddresses'>, (typeof addressColumns)[number]>;

const fields = addressColumns.flatMap((column) => [sql.lit(column), sql.ref(`address.${column}`)]);

/** Selects the current address of the organization as the column `address`, with the fields of its creation. Null if there is none. */
export const currentAddress = sql<CurrentAddress | null>`(select jsonb_build_object(${sql.join(fields)}) ${currentAddressOf})`.as(
  'address',
);
