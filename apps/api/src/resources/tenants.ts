import { contract, type ErrorCode, ProblemError } from '@profile-service/contracts';
import { newId, pageOf, patch } from '@profile-service/db';
import { implement } from '../handler/handler.ts';

const absent = (code: ErrorCode) => () => new ProblemError(code);
const notFound = absent('TENANT_NOT_FOUND');

export const tenants = implement(contract.tenants, {
  // Both references come before the client (specification 4.6); where one goes at the same time, its foreign key answers.
  create: async ({ input, db, invalidateCallers }) => {
    const { customerId, appId, identityClientId } = input;
    await db.selectFrom('customers').select('id').where('id', '=', customerId).executeTakeFirstOrThrow(absent('CUSTOMER_NOT_FOUND'));
    await db.selectFrom('apps').select('id').where('id', '=', appId).executeTakeFirstOrThrow(absent('APP_NOT_FOUND'));
    // The client may have called before it was linked.
    if (identityClientId != null) invalidateCallers({ rejections: true });
    return db
      .insertInto('tenants')
      .values({ ...input, id: newId() })
      .returningAll()
      .executeTakeFirstOrThrow();
  },

  list: ({ input, db }) => pageOf(db.selectFrom('tenants').selectAll(), input, (query) => query.orderBy('id', 'desc')),

  get: ({ input, db }) => db.selectFrom('tenants').selectAll().where('id', '=', input.id).executeTakeFirstOrThrow(notFound),

  // A tenant decides on what all its members and its client may do: every remembered caller is asked anew.
  update: async ({ input: { id, ...fields }, db, invalidateCallers }) => {
    const tenant = await patch(db, 'tenants', { id }, fields);
    if (!tenant) throw notFound();
    invalidateCallers({ all: true });
    return tenant;
  },

  remove: async ({ input, db, invalidateCallers }) => {
    await db.deleteFrom('tenants').where('id', '=', input.id).returning('id').executeTakeFirstOrThrow(notFound);
    invalidateCallers({ all: true });
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
