import { contract, ProblemError } from '@profile-service/contracts';
import { contains, pageOf, patch } from '@profile-service/db';
import { implement } from '../handler/handler.ts';

const notFound = () => new ProblemError('CITY_NOT_FOUND');

export const cities = implement(contract.cities, {
  create: ({ input, db }) => db.insertInto('cities').values(input).returningAll().executeTakeFirstOrThrow(),

  list: ({ input: { name, stateCode, capital, ...paging }, db }) => {
    let query = db.selectFrom('cities').selectAll();
    if (name !== undefined) query = query.where(contains('cities.searchName', name));
    if (stateCode !== undefined) query = query.where('stateCode', '=', stateCode);
    if (capital !== undefined) query = query.where('capital', '=', capital);
    return pageOf(query, paging, (ordered) => ordered.orderBy('name').orderBy('ibgeCode'));
  },

  get: ({ input, db }) => db.selectFrom('cities').selectAll().where('ibgeCode', '=', input.ibgeCode).executeTakeFirstOrThrow(notFound),

  update: async ({ input: { ibgeCode, ...fields }, db }) => (await patch(db, 'cities', { ibgeCode }, fields)) ?? Promise.reject(notFound()),

  remove: async ({ input, db }) => {
    await db.deleteFrom('cities').where('ibgeCode', '=', input.ibgeCode).returning('ibgeCode').executeTakeFirstOrThrow(notFound);
  },
});
