import { contract, ProblemError } from '@profile-service/contracts';
import { contains, newId, pageOf, patch } from '@profile-service/db';
import { implement } from '../handler/handler.ts';
import { invalid } from '../handler/invalid.ts';

const notFound = () => new ProblemError('DOCUMENT_TYPE_NOT_FOUND');

export const documentTypes = implement(contract.documentTypes, {
  create: ({ input, db }) =>
    db
      .insertInto('documentTypes')
      .values({ ...input, id: newId() })
      .returningAll()
      .executeTakeFirstOrThrow(),

  list: ({ input: { name, isActive, isRequired, ...paging }, db }) => {
    let query = db.selectFrom('documentTypes').selectAll();
    if (name !== undefined) query = query.where(contains('documentTypes.searchName', name));
    if (isActive !== undefined) query = query.where('isActive', '=', isActive);
    if (isRequired !== undefined) query = query.where('isRequired', '=', isRequired);
    return pageOf(query, paging, (ordered) => ordered.orderBy('id', 'desc'));
  },

  get: ({ input, db }) => db.selectFrom('documentTypes').selectAll().where('id', '=', input.id).executeTakeFirstOrThrow(notFound),

  // Specification 4.11: a type that loses its expiration loses its validity; one that has none takes none.
  update: async ({ input: { id, ...fields }, db }) => {
    const before = await db
      .selectFrom('documentTypes')
      .select('hasExpiration')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow(notFound);
    const expires = fields.hasExpiration ?? before.hasExpiration;
    if (!expires && !before.hasExpiration && fields.defaultValidityDays != null) {
      throw invalid('defaultValidityDays', 'Must be null or absent when hasExpiration is false');
    }
    const changes = !expires && before.hasExpiration ? { ...fields, defaultValidityDays: null } : fields;
    return (await patch(db, 'documentTypes', { id }, changes)) ?? Promise.reject(notFound());
  },

  remove: async ({ input, db }) => {
    await db.deleteFrom('documentTypes').where('id', '=', input.id).returning('id').executeTakeFirstOrThrow(notFound);
  },
});
