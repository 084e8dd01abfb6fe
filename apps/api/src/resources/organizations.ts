import type { Caller } from '@profile-service/auth';
import { contract, ProblemError } from '@profile-service/contracts';
import {
  contains,
  type EncodeRow,
  hasCurrentAddress,
  ifGiven,
  now,
  type Placeholders,
  type ScopedDatabase,
  scopedPageStatement,
  scopedPatchStatement,
  scopedStatement,
  unscopedStatement,
} from '@profile-service/db';
import { type InputOf, read, write } from '../request/handler.ts';
import { readList } from '../request/read-list.ts';
import { implement } from '../request/router.ts';
import { bodyColumns, listedColumns } from '../request/declared-columns.ts';
import { createOrganization } from './create-organization.ts';
import { assertInScope } from '../request/scope-checks.ts';

const notFound = () => new ProblemError('ORGANIZATION_NOT_FOUND');

type ById = Placeholders<{ id: string }>;
type ListInput = InputOf<typeof contract.organizations.list>;

const pageOfOrganizations = scopedPageStatement(
  contract.organizations.list,
  (scoped, p) =>
    scoped
      .organizations()
      .select(listedColumns(contract.organizations.list, 'organizations'))
      .where((eb) =>
        ifGiven(p.search, (text) => eb.or([contains('organizations.searchName', text), contains('organizations.searchDetails', text)])),
      )
      .where(ifGiven(p.stateCode, (code) => hasCurrentAddress('stateCode', code)))
      .where(ifGiven(p.cityCode, (code) => hasCurrentAddress('cityCode', code))),
  { longList: { ids: (scoped) => scoped.organizationIds(), count: (scoped) => scoped.organizationCount(), id: 'organizations.id' } },
);
const getOrganization = scopedStatement((scoped, p: ById) =>
  scoped.organizations().selectAll('organizations').where('organizations.id', '=', p.id),
);
const patchOrganization = scopedPatchStatement('organizations', bodyColumns(contract.organizations.update, 'id'));
const findOtherLink = unscopedStatement('ends the links', (db, p: Placeholders<{ id: string; tenantId: string }>) =>
  db.selectFrom('organizationTenants').select('tenantId').where('organizationId', '=', p.id).where('tenantId', '!=', p.tenantId).limit(1),
);
/** The database deletes the links, and the grants with them. */
const deleteOrganization = scopedStatement((scoped, p: ById) =>
  scoped.updateTable('organizations').set({ deletedAt: now }).where('organizations.id', '=', p.id),
);
/** Lists organizations in the caller's scope, for users and for applications. Throws as `assertInScope` for the filter `organizationId`. */
export async function listOrganizations(caller: Caller, scoped: ScopedDatabase, input: ListInput, encodeRow: EncodeRow) {
  await assertInScope(caller, scoped, input.organizationId);
  return readList(scoped, pageOfOrganizations, input, encodeRow);
}

export const organizations = implement(contract.organizations, {
  create: write(({ input, caller, unscoped }) => createOrganization(unscoped, caller, input)),

  list: read(({ input, caller, scoped, encodeRow }) => listOrganizations(caller, scoped, input, encodeRow)),

  get: read(({ input, scoped }) => scoped.first(getOrganization, input, notFound)),

  update: write(({ input, scoped }) => scoped.atCommit.patch(patchOrganization, input, notFound)),

  remove: write(async ({ input: { id }, caller: { organizationScope }, unscoped, scoped }) => {
    if (!(await scoped.lockOrganization(id))) throw notFound();
    if ('tenantId' in organizationScope) {
      const otherLink = await unscoped.first(findOtherLink, { id, tenantId: organizationScope.tenantId });
      if (otherLink) throw new ProblemError('ORGANIZATION_IN_USE');
    }
    await scoped.atCommit.run(deleteOrganization, { id });
  }),
});
