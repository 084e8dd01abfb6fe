import type { Insertable } from 'kysely';
import type { Row } from '../scope/unscoped-tables.ts';
import type { DB } from '../schema.gen.ts';
import { queries } from '../sql/compile.ts';
import { columns, type Placeholders } from '../sql/placeholders.ts';
import { Statement } from './statement.ts';

type ColumnOf<T extends keyof DB> = keyof Insertable<DB[T]>;

/** The columns of an address that requests set. */
export const addressColumns = [
  'zipCode',
  'street',
  'number',
  'complement',
  'district',
  'cityCode',
  'stateCode',
  'country',
  'latitude',
  'longitude',
] as const satisfies ColumnOf<'organizationAddresses'>[];

/** The columns of a contact that requests set. */
export const contactColumns = ['type', 'value', 'description', 'isPrimary'] as const satisfies ColumnOf<'organizationContacts'>[];

/** The values of a new row. The database sets the columns in `Default`. */
type NewRow<T extends keyof DB, Default extends keyof Insertable<DB[T]>> = {
  [C in keyof Omit<Insertable<DB[T]>, Default>]: Insertable<DB[T]>[C] | (null extends Insertable<DB[T]>[C] ? undefined : never);
};

type Address = NewRow<'organizationAddresses', 'validTo' | 'validFrom' | 'country' | 'version'> & { validFrom: string; country: string };
type Contact = NewRow<'organizationContacts', 'createdAt' | 'updatedAt' | 'isPrimary' | 'version'> & { isPrimary: boolean };

export type NewAddress = Omit<Address, 'organizationId'>;
export type NewContact = Omit<Contact, 'organizationId'>;

export const insertAddress = new Statement<'unscoped', Address, Row<'organizationAddresses'>>((p: Placeholders<Address>) =>
  queries
    .insertInto('organizationAddresses')
    .values(columns(p, 'id', 'organizationId', ...addressColumns, 'validFrom'))
    .returningAll(),
);

export const insertContact = new Statement<'unscoped', Contact, Row<'organizationContacts'>>((p: Placeholders<Contact>) =>
  queries
    .insertInto('organizationContacts')
    .values(columns(p, 'id', 'organizationId', ...contactColumns))
    .returningAll(),
);
