import type { Kysely } from 'kysely';
import { anyOrganization, lockForAttachment } from './attachment-target.ts';
import { HandlerDatabase } from './handler-database.ts';
import type { Row } from './handler-tables.ts';
import { insertAddress, insertContact, type NewAddress, type NewContact } from './organization-parts.ts';
import type { DB } from './schema.gen.ts';
import type { OrganizationScope } from './scope.ts';
import type { Placeholders } from './statements/placeholders.ts';
import { StatementRunner } from './statements/runner.ts';
import { scopedStatement } from './statements/statement.ts';

type ById = Placeholders<{ id: string }>;

const findOrganization = scopedStatement((tables, p: ById) =>
  tables.organizations().select('organizations.id').where('organizations.id', '=', p.id),
);

const lockOrganization = scopedStatement((tables, p: ById) =>
  tables.organizations().select('organizations.id').where('organizations.id', '=', p.id).forNoKeyUpdate(),
);

/** The scoped tables as one caller sees them: the only way in which handlers reach them. */
export class ScopedDatabase extends StatementRunner<'scoped'> {
  /** Whether the organization is live and in scope. */
  async isInScope(organizationId: string): Promise<boolean> {
    return Boolean(await this.first(findOrganization, { id: organizationId }));
  }

  /**
   * Whether an attachment may be given the id: that of a live organization in scope, which stays one until the end of the transaction, or that of no
   * organization.
   */
  async lockAttachmentTarget(entityId: string): Promise<boolean> {
    if (await this.first(lockForAttachment, { entityId })) return true;
    // An organization that was linked since this statement is refused too.
    return !(await this.first(anyOrganization, { entityId }));
  }

  /**
   * Locks an organization until the end of the transaction, so that two changes of its addresses or of its primary contact follow each other.
   * undefined when it is not in scope.
   */
  async lockOrganization(organizationId: string): Promise<LockedOrganization | undefined> {
    const locked = await this.first(lockOrganization, { id: organizationId });
    if (!locked) return undefined;
    const db = new HandlerDatabase(this.db);
    return {
      insertAddress: (values) => db.one(insertAddress, { ...values, organizationId }),
      insertContact: (values) => db.one(insertContact, { ...values, organizationId }),
    };
  }
}

/** An organization whose addresses and contacts nobody else changes at the same time. */
export interface LockedOrganization {
  insertAddress(values: NewAddress): Promise<Row<'organizationAddresses'>>;
  insertContact(values: NewContact): Promise<Row<'organizationContacts'>>;
}

/** The scoped tables of the database, or of the transaction, as a caller with this scope sees them. */
export function scoped(db: HandlerDatabase | Kysely<DB>, scope: OrganizationScope): ScopedDatabase {
  return new ScopedDatabase(db instanceof HandlerDatabase ? HandlerDatabase.kyselyOf(db) : db, scope);
}
