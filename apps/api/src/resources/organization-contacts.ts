import { contract, ProblemError } from '@profile-service/contracts';
import {
  contactColumns,
  newId,
  type Placeholders,
  type ScopedDatabase,
  scopedPageStatement,
  scopedPatchStatement,
  scopedStatement,
} from '@profile-service/db';
import { sql, type SqlBool } from 'kysely';
import { exportRecords, read, write } from '../request/handler.ts';
import { readList } from '../request/read-list.ts';
import { implement } from '../request/router.ts';
import { listedColumns } from '../request/declared-columns.ts';
import { assertInScope, lockOrganizationOfInput } from '../request/scope-checks.ts';

const notFound = () => new ProblemError('ORGANIZATION_CONTACT_NOT_FOUND');

type ById = Placeholders<{ id: string }>;

const unsetPrimary = scopedStatement((scoped, p: Placeholders<{ organizationId: string; exceptId: string | null }>) =>
  scoped
    .updateTable('organizationContacts')
    .set({ isPrimary: false })
    .where('organizationContacts.organizationId', '=', p.organizationId)
    .where('organizationContacts.isPrimary', '=', true)
    .where(sql<SqlBool>`organization_contacts.id is distinct from ${p.exceptId}`),
);
const listContacts = scopedPageStatement(contract.organizationContacts.list, (scoped) =>
  scoped.contacts().select(listedColumns(contract.organizationContacts.list, 'organizationContacts')),
);
const getContact = scopedStatement((scoped, p: ById) =>
  scoped.contacts().selectAll('organizationContacts').where('organizationContacts.id', '=', p.id),
);
const patchContact = scopedPatchStatement('organizationContacts', contactColumns);
const deleteContact = scopedStatement((scoped, p: ById) =>
  scoped.deleteFrom('organizationContacts').where('organizationContacts.id', '=', p.id).returning('organizationContacts.id'),
);

/**
 * Makes no contact of the organization primary, except the one that becomes it. Lock the organization first: a unique index allows one primary contact
 * (CONTACTS-6).
 */
const clearPrimary = (scoped: ScopedDatabase, organizationId: string, exceptId: string | null): Promise<void> =>
  scoped.run(unsetPrimary, { organizationId, exceptId });

const lockOrganization = ({ input, scoped }: { input: { id: string }; scoped: ScopedDatabase }) =>
  scoped.lockOrganizationOf('organizationContacts', input.id, notFound);

export const organizationContacts = implement(contract.organizationContacts, {
  create: write(lockOrganizationOfInput, async ({ input, scoped }, organization) => {
    if (input.isPrimary) await clearPrimary(scoped, input.organizationId, null);
    return organization.insertContact({ ...input, id: newId() });
  }),

  list: read(async ({ input, caller, scoped }) => {
    await assertInScope(caller, scoped, input.organizationId);
    return readList(scoped, listContacts, input);
  }),

  export: exportRecords({
    check: ({ input, caller, scoped }) => assertInScope(caller, scoped, input.organizationId),
    statement: ({ sort }) => listContacts.allBy(sort),
  }),

  get: read(({ input, scoped }) => scoped.first(getContact, input, notFound)),

  update: write(lockOrganization, async ({ input, scoped }, organizationId) => {
    if (input.isPrimary) await clearPrimary(scoped, organizationId, input.id);
    // Not at the commit: if the contact was deleted meanwhile, the previous primary contact must stay primary.
    return scoped.patch(patchContact, input, notFound);
  }),

  remove: write(async ({ input, scoped }) => {
    await scoped.atCommit.first(deleteContact, input, notFound);
  }),
});
