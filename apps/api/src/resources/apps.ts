import { contract, ProblemError } from '@profile-service/contracts';
import { newId, pageOf, patch } from '@profile-service/db';
import { implement } from '../handler/handler.ts';

const notFound = () => new ProblemError('APP_NOT_FOUND');

export const apps = implement(contract.apps, {
  create: ({ input, db }) =>
    db
      .insertInto('apps')
      .values({ ...input, id: newId() })
      .returningAll()
      .executeTakeFirstOrThrow(),

  list: ({ input, db }) => pageOf(db.selectFrom('apps').selectAll(), input, (query) => query.orderBy('id', 'desc')),

  get: ({ input, db }) => db.selectFrom('apps').selectAll().where('id', '=', input.id).executeTakeFirstOrThrow(notFound),

  update: async ({ input: { id, ...fields }, db }) => (await patch(db, 'apps', { id }, fields)) ?? Promise.reject(notFound()),

  remove: async ({ input, db }) => {
    await db.deleteFrom('apps').where('id', '=', input.id).returning('id').executeTakeFirstOrThrow(notFound);
  },
});
