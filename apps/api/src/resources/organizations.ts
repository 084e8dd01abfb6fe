import type { Caller } from '@profile-service/auth';
import { contract, type organizations as rows, ProblemError } from '@profile-service/contracts';
import { contains, pageOf, type ScopedDatabase, unscoped } from '@profile-service/db';
import { implement, type InputOf } from '../handler/handler.ts';
import { createOrganization } from './create-organization.ts';
import { assertInScope } from './scope-checks.ts';

const notFound = () => new ProblemError('ORGANIZATION_NOT_FOUND');

/** Both families list alike: the caller's scope makes the difference. */
export async function listOrganizations(caller: Caller, scoped: ScopedDatabase, input: InputOf<typeof rows.list>) {
  const { organizationId, name, active, listed, ...paging } = input;
  await assertInScope(caller, scoped, organizationId);
  let query = scoped.organizations().selectAll('organizations');
  if (organizationId !== undefined) query = query.where('organizations.id', '=', organizationId);
  if (name !== undefined) query = query.where(contains('organizations.searchName', name));
  if (active !== undefined) query = query.where('organizations.active', '=', active);
  if (listed !== undefined) query = query.where('organizations.listed', '=', listed);
  return pageOf(query, paging, (ordered) => ordered.orderBy('organizations.id', 'desc'));
}

export const organizations = implement(contract.organizations, {
  create: ({ input, caller, db }) => createOrganization({ db }, caller, input),

  list: ({ input, caller, scoped }) => listOrganizations(caller, scoped, input),

  get: ({ input, scoped }) =>
    scoped.organizations().selectAll('organizations').where('organizations.id', '=', input.id).executeTakeFirstOrThrow(notFound),

  update: async ({ input: { id, ...fields }, scoped }) => (await scoped.patch('organizations', id, fields)) ?? Promise.reject(notFound()),

  remove: async ({ input: { id }, caller: { organizationScope }, db, scoped }) => {
    if (!(await scoped.lockOrganization(id))) throw notFound();
    const links = unscoped(db, 'ends the links');
    if (organizationScope.kind !== 'all') {
      const others = links
        .selectFrom('organizationTenants')
        .select('tenantId')
        .where('organizationId', '=', id)
        .$if('tenantId' in organizationScope, (query) =>
          query.where('tenantId', '!=', 'tenantId' in organizationScope ? organizationScope.tenantId : id),
        );
      if (await others.executeTakeFirst()) throw new ProblemError('ORGANIZATION_IN_USE');
    }
    await scoped.patch('organizations', id, { deletedAt: new Date().toISOString() });
    await links.deleteFrom('organizationTenants').where('organizationId', '=', id).execute();
  },
});
