import { contract, ProblemError } from '@profile-service/contracts';
import { columns, contains, equalsText, ifGiven, pageStatement, patchStatement, type Placeholders, statement } from '@profile-service/db';
import { type InputOf, read, write } from '../request/handler.ts';
import { implement } from '../request/router.ts';
import { bodyColumns, listedColumns } from '../request/declared-columns.ts';

const notFound = () => new ProblemError('STATE_NOT_FOUND');

type ByCode = Placeholders<{ stateCode: number }>;
type Filters = Placeholders<InputOf<typeof contract.states.list>>;

const insertState = statement((db, p: Placeholders<InputOf<typeof contract.states.create>>) =>
  db
    .insertInto('states')
    .values(columns(p, ...bodyColumns(contract.states.create)))
    .returningAll(),
);
const listStates = pageStatement(
  (db, p: Filters) =>
    db
      .selectFrom('states')
      .select(listedColumns(contract.states.list, 'states'))
      .where(ifGiven(p.name, (name) => contains('states.searchName', name)))
      .where(ifGiven(p.uf, (uf) => equalsText('states.uf', uf)))
      .where(ifGiven(p.region, (region) => equalsText('states.region', region))),
  (query) => query.orderBy('name').orderBy('stateCode'),
);
const getState = statement((db, p: ByCode) => db.selectFrom('states').selectAll().where('stateCode', '=', p.stateCode));
const patchState = patchStatement('states', 'stateCode', bodyColumns(contract.states.update, 'stateCode'));
const deleteState = statement((db, p: ByCode) => db.deleteFrom('states').where('stateCode', '=', p.stateCode).returning('stateCode'));

export const states = implement(contract.states, {
  create: write(({ input, unscoped }) => unscoped.atCommit.one(insertState, input)),

  list: read(({ input, unscoped }) => unscoped.page(listStates, input)),

  get: read(({ input, unscoped }) => unscoped.first(getState, input, notFound)),

  update: write(({ input, unscoped }) => unscoped.atCommit.patch(patchState, input, notFound)),

  remove: write(async ({ input, unscoped }) => {
    await unscoped.atCommit.first(deleteState, input, notFound);
  }),
});
