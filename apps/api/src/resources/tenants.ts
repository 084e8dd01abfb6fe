import { contract, ProblemError } from '@profile-service/contracts';
import { newId, pageOf, patch } from '@profile-service/db';
import { implement } from '../operation/implement.ts';

const notFound = () => new ProblemError('TENANT_NOT_FOUND');

export const tenants = implement(contract.tenants, {
  // Both references are foreign keys: the one that does not exist is the one that is answered.
  create: ({ input, db }) =>
    db
      .insertInto('tenants')
      .values({ ...input, id: newId() })
      .returningAll()
      .executeTakeFirstOrThrow(),

  list: ({ input, db }) => pageOf(db.selectFrom('tenants').selectAll(), input, (query) => query.orderBy('id', 'desc')),

  get: ({ input, db }) => db.selectFrom('tenants').selectAll().where('id', '=', input.id).executeTakeFirstOrThrow(notFound),

  // A tenant decides on what all its members and its client may do: every remembered caller is asked anew.
  update: async ({ input: { id, ...fields }, db, changed }) => {
    const tenant = await patch(db, 'tenants', { id }, fields);
    if (!tenant) throw notFound();
    changed({ all: true });
    return tenant;
  },

  remove: async ({ input, db, changed }) => {
    await db.deleteFrom('tenants').where('id', '=', input.id).returning('id').executeTakeFirstOrThrow(notFound);
    changed({ all: true });
  },

  organizations: async ({ input: { tenantId }, db, scoped }) => {
    await db.selectFrom('tenants').select('id').where('id', '=', tenantId).executeTakeFirstOrThrow(notFound);
    const data = await scoped
      .organizations()
      .innerJoin('organizationTenants', 'organizationTenants.organizationId', 'organizations.id')
      .select(['organizations.id', 'name', 'alias', 'federalTaxId', 'active', 'listed'])
      .where('organizationTenants.tenantId', '=', tenantId)
      .orderBy('organizations.id', 'desc')
      .execute();
    return { data };
  },
});
