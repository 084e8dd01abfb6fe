import { contract, ProblemError } from '@profile-service/contracts';
import { columns, newId, pageStatement, patchStatement, type Placeholders, statement } from '@profile-service/db';
import { exportRecords, type InputOf, read, write } from '../request/handler.ts';
import { readList } from '../request/read-list.ts';
import { implement } from '../request/router.ts';
import { bodyColumns, listedColumns } from '../request/declared-columns.ts';

const notFound = () => new ProblemError('CUSTOMER_NOT_FOUND');

type ById = Placeholders<{ id: string }>;
type NewCustomer = InputOf<typeof contract.customers.create> & { id: string };

const insertCustomer = statement((db, p: Placeholders<NewCustomer>) =>
  db
    .insertInto('customers')
    .values(columns(p, 'id', ...bodyColumns(contract.customers.create)))
    .returningAll(),
);
const listCustomers = pageStatement(contract.customers.list, (db) =>
  db.selectFrom('customers').select(listedColumns(contract.customers.list, 'customers')),
);
export const findCustomer = statement((db, p: ById) => db.selectFrom('customers').select('id').where('id', '=', p.id));
const getCustomer = statement((db, p: ById) => db.selectFrom('customers').selectAll().where('id', '=', p.id));
const patchCustomer = patchStatement('customers', 'id', bodyColumns(contract.customers.update, 'id'));
const deleteCustomer = statement((db, p: ById) => db.deleteFrom('customers').where('id', '=', p.id).returning('id'));

export const customers = implement(contract.customers, {
  create: write(({ input, unscoped }) => unscoped.atCommit.one(insertCustomer, { ...input, id: newId() })),

  list: read(({ input, unscoped }) => readList(unscoped, listCustomers, input)),

  export: exportRecords({ statement: ({ sort }) => listCustomers.allBy(sort) }),

  get: read(({ input, unscoped }) => unscoped.first(getCustomer, input, notFound)),

  update: write(({ input, unscoped }) => unscoped.atCommit.patch(patchCustomer, input, notFound)),

  remove: write(async ({ input, unscoped }) => {
    await unscoped.atCommit.first(deleteCustomer, input, notFound);
  }),
});
