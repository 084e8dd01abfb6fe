import { contract, ProblemError } from '@profile-service/contracts';
import { type HandlerDatabase, unscoped } from '@profile-service/db';
import { implement } from '../handler/handler.ts';
import { createOrganization } from './create-organization.ts';
import { linkToActiveTenant } from './link-organization.ts';
import { listOrganizations } from './organizations.ts';

/** A live organization of the whole base: these routes make the link by which it comes into the tenant's scope (specification part 5). */
function anyOrganization(db: HandlerDatabase, column: 'id' | 'federalTaxId', value: string) {
  return (
    unscoped(db, 'creates the link')
      .selectFrom('organizations')
      .selectAll()
      .where(column, '=', value)
      .where('deletedAt', 'is', null)
      // A deletion that comes at the same time waits, or has been.
      .forShare()
      .executeTakeFirstOrThrow(() => new ProblemError('ORGANIZATION_NOT_FOUND'))
  );
}

export const serviceOrganizations = implement(contract.service.organizations, {
  list: ({ input, caller, scoped }) => listOrganizations(caller, scoped, input),

  create: ({ input, caller, db }) => createOrganization({ db }, caller, input),

  link: async ({ input: { organizationId }, caller, db }) => {
    await anyOrganization(db, 'id', organizationId);
    await linkToActiveTenant(db, caller, organizationId);
    return { organizationId, tenantId: caller.tenantId };
  },

  unlink: async ({ input: { organizationId }, caller: { tenantId }, db }) => {
    await anyOrganization(db, 'id', organizationId);
    await unscoped(db, 'ends the links')
      .deleteFrom('organizationTenants')
      .where('organizationId', '=', organizationId)
      .where('tenantId', '=', tenantId)
      .execute();
  },

  findByFederalTaxId: ({ input: { federalTaxId }, caller, transaction }) =>
    transaction(async ({ db }) => {
      const organization = await anyOrganization(db, 'federalTaxId', federalTaxId);
      await linkToActiveTenant(db, caller, organization.id);
      return organization;
    }),
});
