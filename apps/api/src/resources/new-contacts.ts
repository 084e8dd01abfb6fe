import type { organizations } from '@profile-service/contracts';
import { contactColumns, type DB, newId, type Placeholder, type Placeholders } from '@profile-service/db';
import { expressionBuilder, type Kysely, sql } from 'kysely';
import type { InputOf } from '../request/handler.ts';

type Contact = NonNullable<InputOf<typeof organizations.create>['contacts']>[number];

/** New contacts as one array per column, so that their number does not change the text of the statement. */
export interface NewContacts {
  ids: string[];
  types: string[];
  values: string[];
  descriptions: (string | null)[];
  primary: boolean[];
}

/** Converts the contacts of a request to arrays, with new ids. */
export const toNewContacts = (contacts: Contact[]): NewContacts => ({
  ids: contacts.map(() => newId()),
  types: contacts.map(({ type }) => type),
  values: contacts.map(({ value }) => value),
  descriptions: contacts.map(({ description }) => description ?? null),
  primary: contacts.map(({ isPrimary }) => isPrimary),
});

/** Inserts contacts of the organization. */
export function insertContacts(db: Pick<Kysely<DB>, 'insertInto'>, organizationId: Placeholder<string>, p: Placeholders<NewContacts>) {
  const rows = sql<Contact & { id: string }>`unnest(
    ${p.ids}::uuid[], ${p.types}::text[], ${p.values}::text[], ${p.descriptions}::text[], ${p.primary}::boolean[]
  )`.as<'contact'>(sql`contact(id, type, value, description, is_primary)`);
  return db
    .insertInto('organizationContacts')
    .columns(['organizationId', 'id', ...contactColumns])
    .expression(
      expressionBuilder<DB>()
        .selectFrom(rows)
        .select([sql<string>`${organizationId}::uuid`.as('organizationId'), 'id', ...contactColumns]),
    );
}
