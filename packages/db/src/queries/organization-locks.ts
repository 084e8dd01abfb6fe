import type { Expression } from 'kysely';
import type { ScopeParameters } from '../scope/scope.ts';
import { type ScopedTables, scopedTables } from '../scope/scoped-tables.ts';
import { queries } from '../sql/compile.ts';
import type { Placeholders } from '../sql/placeholders.ts';
import { Statement } from './statement.ts';

/*
 * These statements lock an organization, and the link or grant that brings it into scope. They lock the organization first, as deleting and unlinking do: the
 * same order avoids deadlocks.
 */

type ById = Placeholders<{ id: string }>;

/** The lock lets other attachments of the organization be stored at the same time. */
export const lockForAttachment = new Statement<'scoped', { id: string }, { id: string }>((p: ById, scope) =>
  lockInScope(scope, p.id, 'forShare'),
);

/** Finds an organization, in scope or not. */
export const anyOrganization = new Statement<'scoped', { id: string }, { id: string }>((p: ById) =>
  queries.selectFrom('organizations').select('id').where('id', '=', p.id),
);

const lockOrganizationBy = (idOf: (p: ById, tables: ScopedTables) => Expression<string>) =>
  new Statement<'scoped', { id: string }, { id: string }>((p: ById, scope) =>
    lockInScope(scope, idOf(p, scopedTables(scope)), 'forNoKeyUpdate'),
  );

export const lockOrganization = lockOrganizationBy((p) => p.id);

/** By the id of a part. */
export const lockOrganizationOf = {
  organizationAddresses: lockOrganizationBy((p, tables) =>
    tables.addresses().select('organizationId').where('organizationAddresses.id', '=', p.id).$asScalar(),
  ),
  organizationContacts: lockOrganizationBy((p, tables) =>
    tables.contacts().select('organizationId').where('organizationContacts.id', '=', p.id).$asScalar(),
  ),
};

/** Joins instead of using the scope's predicate: after a wait for a lock, PostgreSQL reads the locked rows again, but not those of a sub-select. */
function lockInScope(scope: ScopeParameters, organizationId: Expression<string>, lock: 'forShare' | 'forNoKeyUpdate') {
  const organization = queries
    .selectFrom('organizations')
    .select('organizations.id')
    .where('organizations.id', '=', organizationId)
    .where('organizations.deletedAt', 'is', null);
  const live = organization[lock]('organizations');
  switch (scope.kind) {
    case 'all':
      return live;
    case 'none':
      return live.where((eb) => eb.lit(false));
    case 'tenant':
      return live
        .innerJoin('organizationTenants as link', 'link.organizationId', 'organizations.id')
        .where('link.tenantId', '=', scope.tenantId)
        .forKeyShare('link');
    case 'restricted':
      // The link need not be checked: a grant is deleted with its link.
      return live
        .innerJoin('membershipOrganizations as grant', 'grant.organizationId', 'organizations.id')
        .where('grant.userId', '=', scope.userId)
        .where('grant.tenantId', '=', scope.tenantId)
        .forKeyShare('grant');
  }
}
