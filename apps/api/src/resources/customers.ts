import { contract, ProblemError } from '@profile-service/contracts';
import { newId, pageOf, patch } from '@profile-service/db';
import { implement } from '../handler/handler.ts';

const notFound = () => new ProblemError('CUSTOMER_NOT_FOUND');

export const customers = implement(contract.customers, {
  create: ({ input, db }) =>
    db
      .insertInto('customers')
      .values({ ...input, id: newId() })
      .returningAll()
      .executeTakeFirstOrThrow(),

  list: ({ input, db }) => pageOf(db.selectFrom('customers').selectAll(), input, (query) => query.orderBy('id', 'desc')),

  get: ({ input, db }) => db.selectFrom('customers').selectAll().where('id', '=', input.id).executeTakeFirstOrThrow(notFound),

  update: async ({ input: { id, ...fields }, db }) => (await patch(db, 'customers', { id }, fields)) ?? Promise.reject(notFound()),

  remove: async ({ input, db }) => {
    await db.deleteFrom('customers').where('id', '=', input.id).returning('id').executeTakeFirstOrThrow(notFound);
  },
});
