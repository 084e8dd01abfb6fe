import { contract, ProblemError } from '@profile-service/contracts';
import { type OpenDatabase, wholeBase } from '@profile-service/db';
import { implement } from '../operation/implement.ts';
import { createOrganization } from './create-organization.ts';
import { listOrganizations } from './organizations.ts';

/** A live organization of the whole base: these routes make the link by which it comes into the tenant's scope (specification part 5). */
function anyOrganization(db: OpenDatabase, column: 'id' | 'federalTaxId', value: string) {
  return (
    wholeBase(db, 'creates the link')
      .selectFrom('organizations')
      .selectAll()
      .where(column, '=', value)
      .where('deletedAt', 'is', null)
      // A deletion that comes at the same time waits, or has been.
      .forShare()
      .executeTakeFirstOrThrow(() => new ProblemError('ORGANIZATION_NOT_FOUND'))
  );
}

async function link(db: OpenDatabase, organizationId: string, tenantId: string): Promise<void> {
  await wholeBase(db, 'creates the link')
    .insertInto('organizationTenants')
    .values({ organizationId, tenantId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export const serviceOrganizations = implement(contract.service.organizations, {
  list: ({ input, caller, scoped }) => listOrganizations(caller, scoped, input),

  create: ({ input, caller, db }) => createOrganization({ db }, caller, input),

  link: async ({ input: { organizationId }, caller: { tenantId }, db }) => {
    await anyOrganization(db, 'id', organizationId);
    await link(db, organizationId, tenantId);
    return { organizationId, tenantId };
  },

  unlink: async ({ input: { organizationId }, caller: { tenantId }, db }) => {
    await anyOrganization(db, 'id', organizationId);
    await wholeBase(db, 'ends the links')
      .deleteFrom('organizationTenants')
      .where('organizationId', '=', organizationId)
      .where('tenantId', '=', tenantId)
      .execute();
  },

  findByFederalTaxId: ({ input: { federalTaxId }, caller: { tenantId }, transaction }) =>
    transaction(async ({ db }) => {
      const organization = await anyOrganization(db, 'federalTaxId', federalTaxId);
      await link(db, organization.id, tenantId);
      return organization;
    }),
});
