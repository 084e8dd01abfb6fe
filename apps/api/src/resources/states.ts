import { contract, ProblemError } from '@profile-service/contracts';
import { columns, pageStatement, patchStatement, type Placeholders, statement } from '@profile-service/db';
import { type InputOf, read, write } from '../request/handler.ts';
import { readList } from '../request/read-list.ts';
import { implement } from '../request/router.ts';
import { bodyColumns, listedColumns } from '../request/declared-columns.ts';

const notFound = () => new ProblemError('STATE_NOT_FOUND');

type ByCode = Placeholders<{ stateCode: number }>;

const insertState = statement((db, p: Placeholders<InputOf<typeof contract.states.create>>) =>
  db
    .insertInto('states')
    .values(columns(p, ...bodyColumns(contract.states.create)))
    .returningAll(),
);
const listStates = pageStatement(contract.states.list, (db) =>
  db.selectFrom('states').select(listedColumns(contract.states.list, 'states')),
);
const getState = statement((db, p: ByCode) => db.selectFrom('states').selectAll().where('stateCode', '=', p.stateCode));
const patchState = patchStatement('states', 'stateCode', bodyColumns(contract.states.update, 'stateCode'));
const deleteState = statement((db, p: ByCode) => db.deleteFrom('states').where('stateCode', '=', p.stateCode).returning('stateCode'));

export const states = implement(contract.states, {
  create: write(({ input, unscoped }) => unscoped.atCommit.one(insertState, input)),

  list: read(({ input, unscoped }) => readList(unscoped, listStates, input)),

  get: read(({ input, unscoped }) => unscoped.first(getState, input, notFound)),

  update: write(({ input, unscoped }) => unscoped.atCommit.patch(patchState, input, notFound)),

  remove: write(async ({ input, unscoped }) => {
    await unscoped.atCommit.first(deleteState, input, notFound);
  }),
});
