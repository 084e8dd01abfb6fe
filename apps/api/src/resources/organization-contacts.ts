import { contract, ProblemError } from '@profile-service/contracts';
import { newId, pageOf, type ScopedDatabase } from '@profile-service/db';
import { sql } from 'kysely';
import { implement } from '../handler/handler.ts';
import { lockInScope, assertInScope } from './scope-checks.ts';

const notFound = () => new ProblemError('ORGANIZATION_CONTACT_NOT_FOUND');

/** At most one contact of an organization is primary: the one before gives way. The organization must be locked. */
async function clearPrimary(scoped: ScopedDatabase, organizationId: string): Promise<void> {
  await scoped
    .updateTable('organizationContacts')
    .set({ isPrimary: false, updatedAt: sql<string>`now()` })
    .where('organizationContacts.organizationId', '=', organizationId)
    .where('organizationContacts.isPrimary', '=', true)
    .execute();
}

export const organizationContacts = implement(contract.organizationContacts, {
  create: async ({ input: { organizationId, ...fields }, caller, scoped }) => {
    const organization = await lockInScope(caller, scoped, organizationId);
    if (fields.isPrimary) await clearPrimary(scoped, organizationId);
    return organization
      .insertContact({ ...fields, id: newId() })
      .returningAll()
      .executeTakeFirstOrThrow();
  },

  list: async ({ input: { organizationId, type, isPrimary, ...paging }, caller, scoped }) => {
    await assertInScope(caller, scoped, organizationId);
    let query = scoped.contacts().selectAll('organizationContacts');
    if (organizationId !== undefined) query = query.where('organizationContacts.organizationId', '=', organizationId);
    if (type !== undefined) query = query.where('organizationContacts.type', '=', type);
    if (isPrimary !== undefined) query = query.where('organizationContacts.isPrimary', '=', isPrimary);
    return pageOf(query, paging, (ordered) => ordered.orderBy('organizationContacts.id', 'desc'));
  },

  get: ({ input, scoped }) =>
    scoped.contacts().selectAll('organizationContacts').where('organizationContacts.id', '=', input.id).executeTakeFirstOrThrow(notFound),

  update: async ({ input: { id, ...fields }, scoped }) => {
    const { organizationId } = await scoped
      .contacts()
      .select('organizationContacts.organizationId')
      .where('organizationContacts.id', '=', id)
      .executeTakeFirstOrThrow(notFound);
    if (fields.isPrimary) {
      await scoped.lockOrganization(organizationId);
      await clearPrimary(scoped, organizationId);
    }
    return (await scoped.patch('organizationContacts', id, fields)) ?? Promise.reject(notFound());
  },

  remove: async ({ input, scoped }) => {
    await scoped
      .deleteFrom('organizationContacts')
      .where('organizationContacts.id', '=', input.id)
      .returning('organizationContacts.id')
      .executeTakeFirstOrThrow(notFound);
  },
});
