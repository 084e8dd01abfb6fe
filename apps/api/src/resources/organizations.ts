import type { Caller } from '@profile-service/auth';
import { contract, ProblemError } from '@profile-service/contracts';
import {
  contains,
  currentAddress,
  type EncodeRow,
  hasCurrentAddress,
  ifGiven,
  now,
  type Placeholders,
  type ScopedDatabase,
  scopedPageStatement,
  scopedPatchStatement,
  scopedStatement,
  type ScopedTables,
  unscopedStatement,
} from '@profile-service/db';
import { exportRecords, type InputOf, read, write } from '../request/handler.ts';
import { readList } from '../request/read-list.ts';
import { implement } from '../request/router.ts';
import { bodyColumns, listedColumns } from '../request/declared-columns.ts';
import { createOrganization } from './create-organization.ts';
import { assertInScope } from '../request/scope-checks.ts';

const notFound = () => new ProblemError('ORGANIZATION_NOT_FOUND');

type ById = Placeholders<{ id: string }>;
type ListInput = InputOf<typeof contract.organizations.list>;
type ExportInput = InputOf<typeof contract.organizations.export>;

const select = (scoped: ScopedTables, p: Placeholders<ListInput>) =>
  scoped
    .organizations()
    .select(listedColumns(contract.organizations.list, 'organizations'))
    .where((eb) =>
      ifGiven(p.search, (text) => eb.or([contains('organizations.searchName', text), contains('organizations.searchDetails', text)])),
    )
    .where(ifGiven(p.stateCode, (code) => hasCurrentAddress('stateCode', code)))
    .where(ifGiven(p.cityCode, (code) => hasCurrentAddress('cityCode', code)));
const pageOfOrganizations = scopedPageStatement(contract.organizations.list, select, {
  longList: { ids: (scoped) => scoped.organizationIds(), count: (scoped) => scoped.organizationCount(), id: 'organizations.id' },
});
const exportedOrganizations = scopedPageStatement(contract.organizations.list, (scoped, p) => select(scoped, p).select(currentAddress));
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

/** Selects the organizations of an export, for users and for applications. */
export const organizationExport = exportRecords<ExportInput, Caller>({
  check: ({ input, caller, scoped }) => assertInScope(caller, scoped, input.organizationId),
  statement: ({ sort }) => exportedOrganizations.allBy(sort),
});

export const organizations = implement(contract.organizations, {
  create: write(({ input, caller, unscoped }) => createOrganization(unscoped, caller, input)),

  list: read(({ input, caller, scoped, encodeRow }) => listOrganizations(caller, scoped, input, encodeRow)),

  export: organizationExport,

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
