import { contract, ProblemError } from '@profile-service/contracts';
import { type UnscopedDatabase, type Placeholders, unscopedStatement } from '@profile-service/db';
import { read, write } from '../request/handler.ts';
import { implement } from '../request/router.ts';
import { createOrganization } from './create-organization.ts';
import { linkToActiveTenant } from './link-organization.ts';
import { listOrganizations, organizationExport } from './organizations.ts';

const notFound = () => new ProblemError('ORGANIZATION_NOT_FOUND');

/*
 * These statements find live organizations of every tenant, because the endpoints link them to the caller's tenant (SCOPE-9).
 * A concurrent deletion waits for the lock.
 */
const lockOrganization = unscopedStatement('creates the link', (db, p: Placeholders<{ organizationId: string }>) =>
  db.selectFrom('organizations').select('id').where('id', '=', p.organizationId).where('deletedAt', 'is', null).forShare(),
);
const lockByFederalTaxId = unscopedStatement('creates the link', (db, p: Placeholders<{ federalTaxId: string }>) =>
  db.selectFrom('organizations').selectAll().where('federalTaxId', '=', p.federalTaxId).where('deletedAt', 'is', null).forShare(),
);
const deleteLink = unscopedStatement('ends the links', (db, p: Placeholders<{ organizationId: string; tenantId: string }>) =>
  db.deleteFrom('organizationTenants').where('organizationId', '=', p.organizationId).where('tenantId', '=', p.tenantId),
);

const assertLive = (db: UnscopedDatabase, organizationId: string) => db.first(lockOrganization, { organizationId }, notFound);

export const serviceOrganizations = implement(contract.service.organizations, {
  list: read(({ input, caller, scoped, encodeRow }) => listOrganizations(caller, scoped, input, encodeRow)),

  export: organizationExport,

  create: write(({ input, caller, unscoped }) => createOrganization(unscoped, caller, input)),

  link: write(async ({ input: { organizationId }, caller, unscoped }) => {
    await assertLive(unscoped, organizationId);
    await linkToActiveTenant(unscoped, caller, organizationId);
    return { organizationId, tenantId: caller.tenantId };
  }),

  unlink: write(async ({ input: { organizationId }, caller: { tenantId }, unscoped }) => {
    await assertLive(unscoped, organizationId);
    await unscoped.atCommit.run(deleteLink, { organizationId, tenantId });
  }),

  findByFederalTaxId: write(async ({ input: { federalTaxId }, caller, unscoped }) => {
    const organization = await unscoped.first(lockByFederalTaxId, { federalTaxId }, notFound);
    await linkToActiveTenant(unscoped, caller, organization.id);
    return organization;
  }),
});
