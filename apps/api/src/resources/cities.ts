import { contract, ProblemError } from '@profile-service/contracts';
import { columns, pageStatement, patchStatement, type Placeholders, statement } from '@profile-service/db';
import { type InputOf, read, write } from '../request/handler.ts';
import { readList } from '../request/read-list.ts';
import { implement } from '../request/router.ts';
import { bodyColumns, listedColumns } from '../request/declared-columns.ts';

const notFound = () => new ProblemError('CITY_NOT_FOUND');

type ByCode = Placeholders<{ ibgeCode: number }>;

const insertCity = statement((db, p: Placeholders<InputOf<typeof contract.cities.create>>) =>
  db
    .insertInto('cities')
    .values(columns(p, ...bodyColumns(contract.cities.create)))
    .returningAll(),
);
const listCities = pageStatement(contract.cities.list, (db) =>
  db.selectFrom('cities').select(listedColumns(contract.cities.list, 'cities')),
);
const getCity = statement((db, p: ByCode) => db.selectFrom('cities').selectAll().where('ibgeCode', '=', p.ibgeCode));
const patchCity = patchStatement('cities', 'ibgeCode', bodyColumns(contract.cities.update, 'ibgeCode'));
const deleteCity = statement((db, p: ByCode) => db.deleteFrom('cities').where('ibgeCode', '=', p.ibgeCode).returning('ibgeCode'));

export const cities = implement(contract.cities, {
  create: write(({ input, unscoped }) => unscoped.atCommit.one(insertCity, input)),

  list: read(({ input, unscoped }) => readList(unscoped, listCities, input)),

  get: read(({ input, unscoped }) => unscoped.first(getCity, input, notFound)),

  update: write(({ input, unscoped }) => unscoped.atCommit.patch(patchCity, input, notFound)),

  remove: write(async ({ input, unscoped }) => {
    await unscoped.atCommit.first(deleteCity, input, notFound);
  }),
});
