import type { organizations } from '@profile-service/contracts';
import { newId, type DB, type Placeholders } from '@profile-service/db';
import { expressionBuilder, sql } from 'kysely';
import type { InputOf } from '../handler/handler.ts';

type Contact = NonNullable<InputOf<typeof organizations.create>['contacts']>[number];

/** New contacts as one array per column: their number does not change the text of the statement. */
export interface ContactColumns {
  ids: string[];
  types: string[];
  values: string[];
  descriptions: (string | null)[];
  primary: boolean[];
}

export const contactColumns = (contacts: Contact[]): ContactColumns => ({
  ids: contacts.map(() => newId()),
  types: contacts.map(({ type }) => type),
  values: contacts.map(({ value }) => value),
  descriptions: contacts.map(({ description }) => description ?? null),
  primary: contacts.map(({ isPrimary }) => isPrimary),
});

/** Selects the rows of the arrays as contacts of the organization: organizationId, id, type, value, description, isPrimary. */
export function selectContacts(organizationId: string, p: Placeholders<ContactColumns>) {
  const rows = sql<Contact & { id: string }>`unnest(
    ${p.ids}::uuid[], ${p.types}::text[], ${p.values}::text[], ${p.descriptions}::text[], ${p.primary}::boolean[]
  )`.as<'contact'>(sql`contact(id, type, value, description, is_primary)`);
  return expressionBuilder<DB>()
    .selectFrom(rows)
    .select([
      sql<string>`${organizationId}::uuid`.as('organizationId'),
      'contact.id',
      'contact.type',
      'contact.value',
      'contact.description',
      'contact.isPrimary',
    ]);
}
