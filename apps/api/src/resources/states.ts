import { contract, ProblemError } from '@profile-service/contracts';
import { contains, equalsText, pageOf, patch } from '@profile-service/db';
import { implement } from '../handler/handler.ts';

const notFound = () => new ProblemError('STATE_NOT_FOUND');

export const states = implement(contract.states, {
  create: ({ input, db }) => db.insertInto('states').values(input).returningAll().executeTakeFirstOrThrow(),

  list: ({ input: { name, uf, region, ...paging }, db }) => {
    let query = db.selectFrom('states').selectAll();
    if (name !== undefined) query = query.where(contains('states.searchName', name));
    if (uf !== undefined) query = query.where(equalsText('states.uf', uf));
    if (region !== undefined) query = query.where(equalsText('states.region', region));
    return pageOf(query, paging, (ordered) => ordered.orderBy('name').orderBy('stateCode'));
  },

  get: ({ input, db }) => db.selectFrom('states').selectAll().where('stateCode', '=', input.stateCode).executeTakeFirstOrThrow(notFound),

  update: async ({ input: { stateCode, ...fields }, db }) =>
    (await patch(db, 'states', { stateCode }, fields)) ?? Promise.reject(notFound()),

  remove: async ({ input, db }) => {
    await db.deleteFrom('states').where('stateCode', '=', input.stateCode).returning('stateCode').executeTakeFirstOrThrow(notFound);
  },
});
