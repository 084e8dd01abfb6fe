import { type Expression, sql, type SqlBool } from 'kysely';

const currentAddressOf = sql`from organization_addresses address where address.id = organizations.organization_address_id`;

/** Whether the current address of the organization is in this state or city. */
export const hasCurrentAddress = (column: 'stateCode' | 'cityCode', code: Expression<number>): Expression<SqlBool> =>
  sql`exists (select ${currentAddressOf} and ${sql.ref(`address.${column}`)} = ${code})`;

/** The current address of the organization, with the fields of its creation. Null if there is none. */
export interface CurrentAddress {
  zipCode: string;
  street: string;
  number: string;
  complement: string | null;
  district: string | null;
  cityCode: number;
  stateCode: number;
  country: string;
  latitude: number | null;
  longitude: number | null;
}

/** Selects the current address of the organization as the column `address`. */
export const currentAddress = sql<CurrentAddress | null>`(
  select jsonb_build_object(
    'zipCode', zip_code, 'street', street, 'number', number, 'complement', complement, 'district', district, 'cityCode', city_code,
    'stateCode', state_code, 'country', country, 'latitude', latitude, 'longitude', longitude
  ) ${currentAddressOf}
)`.as('address');
