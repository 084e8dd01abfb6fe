import type { Executor } from '../connection/executor.ts';
import { UnscopedDatabase } from './unscoped-database.ts';
import type { Row } from '../scope/unscoped-tables.ts';
import { insertAddress, insertContact, type NewAddress, type NewContact } from './organization-parts.ts';
import type { OrganizationScope } from '../scope/scope.ts';
import type { Placeholders } from '../sql/placeholders.ts';
import { anyOrganization, lockForAttachment, lockOrganization, lockOrganizationOf } from './organization-locks.ts';
import { StatementRunner } from './runner.ts';
import { scopedStatement } from './statement.ts';

type ById = Placeholders<{ id: string }>;

const findOrganization = scopedStatement((tables, p: ById) =>
  tables.organizations().select('organizations.id').where('organizations.id', '=', p.id),
);

/** Runs statements on the scoped tables with the scope of one caller. Handlers have no other access to these tables. */
export class ScopedDatabase extends StatementRunner<'scoped'> {
  /** Whether the organization is live and in scope. */
  async isInScope(organizationId: string): Promise<boolean> {
    return Boolean(await this.first(findOrganization, { id: organizationId }));
  }

  /**
   * Whether an attachment may have this `entityId`: the id of a live organization in scope, or of no organization.
   * Locks the organization and what brings it into scope until the end of the transaction.
   */
  async lockAttachmentTarget(entityId: string): Promise<boolean> {
    if (await this.first(lockForAttachment, { id: entityId })) return true;
    // Also rejects an organization that was linked after the statement above.
    return !(await this.first(anyOrganization, { id: entityId }));
  }

  /**
   * Locks an organization until the end of the transaction, so that changes of its addresses and of its contacts run one after the other.
   * Also locks what brings it into scope: later statements of the transaction find its parts. Returns undefined if it is not in scope.
   */
  async lockOrganization(organizationId: string): Promise<LockedOrganization | undefined> {
    const locked = await this.first(lockOrganization, { id: organizationId });
    if (!locked) return undefined;
    const db = new UnscopedDatabase(this.executor);
    return {
      insertAddress: (values) => db.one(insertAddress, { ...values, organizationId }),
      insertContact: (values) => db.atCommit.one(insertContact, { ...values, organizationId }),
    };
  }

  /**
   * Locks the organization of an address or a contact, as `lockOrganization`, and returns its id. Throws the error of `absent` if the part is not in scope.
   * Call it before the part itself is locked: creating an address and changing the primary contact lock them in the same order.
   */
  async lockOrganizationOf(part: keyof typeof lockOrganizationOf, id: string, absent: () => Error): Promise<string> {
    return (await this.first(lockOrganizationOf[part], { id }, absent)).id;
  }
}

/** An organization that this transaction has locked, to add parts of it. */
export interface LockedOrganization {
  insertAddress(values: NewAddress): Promise<Row<'organizationAddresses'>>;
  /** Inserts a contact with the commit of the transaction. */
  insertContact(values: NewContact): Promise<Row<'organizationContacts'>>;
}

/** Returns the scoped tables for a caller with this scope. */
export function scoped(executor: Executor, scope: OrganizationScope): ScopedDatabase {
  return new ScopedDatabase(executor, scope);
}
