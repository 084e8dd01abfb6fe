import type { Insertable } from 'kysely';
import type { Row } from './unscoped-tables.ts';
import type { DB } from '../schema.gen.ts';
import { queries } from '../queries/compile.ts';
import { columns, type Placeholders } from '../queries/placeholders.ts';
import { scopedStatement, Statement } from '../queries/statement.ts';

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
export type NewContact = NewRow<'organizationContacts', 'createdAt' | 'updatedAt' | 'isPrimary' | 'version'> & { isPrimary: boolean };

export type NewAddress = Omit<Address, 'organizationId'>;

export const insertAddress = new Statement<'unscoped', Address, Row<'organizationAddresses'>>((p: Placeholders<Address>) =>
  queries
    .insertInto('organizationAddresses')
    .values(columns(p, 'id', 'organizationId', ...addressColumns, 'validFrom'))
    .returningAll(),
);

/** Locks the organization, if it is in scope, and inserts a contact. Returns no row if it is not in scope. */
export const insertContact = scopedStatement((scoped, p: Placeholders<NewContact>) =>
  queries
    .with('organization', () =>
      scoped.organizations().select('organizations.id').where('organizations.id', '=', p.organizationId).forNoKeyUpdate(),
    )
    .insertInto('organizationContacts')
    .columns(['organizationId', 'id', ...contactColumns])
    .expression((eb) =>
      eb
        .selectFrom('organization')
        .select([
          'organization.id as organizationId',
          eb.cast<string>(eb.val(p.id), 'uuid').as('id'),
          eb.val(p.type).as('type'),
          eb.val(p.value).as('value'),
          eb.val(p.description).as('description'),
          eb.cast<boolean>(eb.val(p.isPrimary), 'boolean').as('isPrimary'),
        ]),
    )
    .returningAll(),
);
