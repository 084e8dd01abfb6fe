import { contract, ProblemError } from '@profile-service/contracts';
import { columns, newId, pageStatement, patchStatement, type Placeholders, statement } from '@profile-service/db';
import { type InputOf, read, write } from '../request/handler.ts';
import { readList } from '../request/read-list.ts';
import { implement } from '../request/router.ts';
import { bodyColumns, listedColumns } from '../request/declared-columns.ts';
import { validationFailed } from '../request/validation-failed.ts';

const notFound = () => new ProblemError('DOCUMENT_TYPE_NOT_FOUND');

type ById = Placeholders<{ id: string }>;
type NewDocumentType = InputOf<typeof contract.documentTypes.create> & { id: string };

const insertDocumentType = statement((db, p: Placeholders<NewDocumentType>) =>
  db
    .insertInto('documentTypes')
    .values(columns(p, 'id', ...bodyColumns(contract.documentTypes.create)))
    .returningAll(),
);
const listDocumentTypes = pageStatement(contract.documentTypes.list, (db) =>
  db.selectFrom('documentTypes').select(listedColumns(contract.documentTypes.list, 'documentTypes')),
);
const getDocumentType = statement((db, p: ById) => db.selectFrom('documentTypes').selectAll().where('id', '=', p.id));
const lockDocumentType = statement((db, p: ById) =>
  db.selectFrom('documentTypes').select('hasExpiration').where('id', '=', p.id).forUpdate(),
);
const patchDocumentType = patchStatement('documentTypes', 'id', bodyColumns(contract.documentTypes.update, 'id'));
const deleteDocumentType = statement((db, p: ById) => db.deleteFrom('documentTypes').where('id', '=', p.id).returning('id'));

export const documentTypes = implement(contract.documentTypes, {
  create: write(({ input, unscoped }) => unscoped.atCommit.one(insertDocumentType, { ...input, id: newId() })),

  list: read(({ input, unscoped }) => readList(unscoped, listDocumentTypes, input)),

  get: read(({ input, unscoped }) => unscoped.first(getDocumentType, input, notFound)),

  // A type that loses its expiration also loses its validity. A type without expiration accepts no validity (DOCTYPES-8, DOCTYPES-9).
  update: write(async ({ input, unscoped }) => {
    const before = await unscoped.first(lockDocumentType, input, notFound);
    const expires = input.hasExpiration ?? before.hasExpiration;
    if (!expires && !before.hasExpiration && input.defaultValidityDays != null) {
      throw validationFailed('defaultValidityDays', 'Must be null or absent when hasExpiration is false');
    }
    const changes = !expires && before.hasExpiration ? { ...input, defaultValidityDays: null } : input;
    return unscoped.atCommit.patch(patchDocumentType, changes, notFound);
  }),

  remove: write(async ({ input, unscoped }) => {
    await unscoped.atCommit.first(deleteDocumentType, input, notFound);
  }),
});
