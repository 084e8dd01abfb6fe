import { contract, ProblemError } from '@profile-service/contracts';
import { columns, newId, pageStatement, patchStatement, type Placeholders, statement } from '@profile-service/db';
import { read, write } from '../request/handler.ts';
import { readList } from '../request/read-list.ts';
import { implement } from '../request/router.ts';
import { bodyColumns, listedColumns } from '../request/declared-columns.ts';

const notFound = () => new ProblemError('APP_NOT_FOUND');

type ById = Placeholders<{ id: string }>;

const insertApp = statement((db, p: Placeholders<{ id: string; name: string }>) =>
  db
    .insertInto('apps')
    .values(columns(p, 'id', ...bodyColumns(contract.apps.create)))
    .returningAll(),
);
const listApps = pageStatement(contract.apps.list, (db) => db.selectFrom('apps').select(listedColumns(contract.apps.list, 'apps')));
const getApp = statement((db, p: ById) => db.selectFrom('apps').selectAll().where('id', '=', p.id));
const patchApp = patchStatement('apps', 'id', bodyColumns(contract.apps.update, 'id'));
const deleteApp = statement((db, p: ById) => db.deleteFrom('apps').where('id', '=', p.id).returning('id'));

export const apps = implement(contract.apps, {
  create: write(({ input, unscoped }) => unscoped.atCommit.one(insertApp, { ...input, id: newId() })),

  list: read(({ input, unscoped }) => readList(unscoped, listApps, input)),

  get: read(({ input, unscoped }) => unscoped.first(getApp, input, notFound)),

  update: write(({ input, unscoped }) => unscoped.atCommit.patch(patchApp, input, notFound)),

  remove: write(async ({ input, unscoped }) => {
    await unscoped.atCommit.first(deleteApp, input, notFound);
  }),
});
