import type { Insertable } from 'kysely';
import type { Row } from './handler-tables.ts';
import type { DB } from './schema.gen.ts';
import { queries } from './statements/compile.ts';
import { columns, type Placeholders } from './statements/placeholders.ts';
import { Statement } from './statements/statement.ts';

/** The columns of a new row; those with `Default` are left to the database. */
type NewRow<T extends keyof DB, Default extends keyof Insertable<DB[T]>> = {
  [C in keyof Omit<Insertable<DB[T]>, Default>]: Insertable<DB[T]>[C] | (null extends Insertable<DB[T]>[C] ? undefined : never);
};

type Address = NewRow<'organizationAddresses', 'validTo' | 'validFrom' | 'country'> & { validFrom: string; country: string };
type Contact = NewRow<'organizationContacts', 'createdAt' | 'updatedAt' | 'isPrimary'> & { isPrimary: boolean };

export type NewAddress = Omit<Address, 'organizationId'>;
export type NewContact = Omit<Contact, 'organizationId'>;

export const insertAddress = new Statement<'unscoped', Address, Row<'organizationAddresses'>>((p: Placeholders<Address>) =>
  queries
    .insertInto('organizationAddresses')
    .values(
      columns(
        p,
        'id',
        'organizationId',
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
        'validFrom',
      ),
    )
    .returningAll(),
);

export const insertContact = new Statement<'unscoped', Contact, Row<'organizationContacts'>>((p: Placeholders<Contact>) =>
  queries
    .insertInto('organizationContacts')
    .values(columns(p, 'id', 'organizationId', 'type', 'value', 'description', 'isPrimary'))
    .returningAll(),
);
