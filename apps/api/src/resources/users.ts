import type { UserCaller } from '@profile-service/auth';
import { contract, ProblemError, type UserType } from '@profile-service/contracts';
import {
  contains,
  type HandlerDatabase,
  ifGiven,
  now,
  pageStatement,
  patchStatement,
  type Placeholders,
  statement,
} from '@profile-service/db';
import { implement, type InputOf, ownsTransaction, withPrecheck } from '../request/handler.ts';
import { listedColumns } from '../request/listed-columns.ts';
import { provisionUser } from './provision-user.ts';

const notFound = () => new ProblemError('USER_NOT_FOUND');

type ById = Placeholders<{ id: string }>;
type Filters = Placeholders<InputOf<typeof contract.users.list>, 'customerId'>;

const lockUser = statement((db, p: ById) =>
  db.selectFrom('users').select(['id', 'idIdentity', 'type']).where('id', '=', p.id).where('deletedAt', 'is', null).forUpdate(),
);
const listUsers = pageStatement(
  (db, p: Filters) => {
    const query = db
      .selectFrom('users')
      .select(listedColumns(contract.users.list, 'users'))
      .where('deletedAt', 'is', null)
      .where(ifGiven(p.name, (name) => contains('users.searchName', name)))
      .where(ifGiven(p.email, (email) => contains('users.email', email)))
      .where((eb) => ifGiven(p.type, (type) => eb('type', '=', type)));
    return p.customerId === undefined ? query : query.where('customerId', '=', p.customerId);
  },
  (query) => query.orderBy('id', 'desc'),
  ['customerId'],
);
const getUser = statement((db, p: ById) => db.selectFrom('users').selectAll().where('id', '=', p.id).where('deletedAt', 'is', null));
const patchUser = patchStatement('users', 'id', ['name', 'email', 'type', 'jobTitle', 'customerId']);
const deleteUser = statement((db, p: ById) => db.updateTable('users').set({ deletedAt: now }).where('id', '=', p.id));

/** Throws NOT_ALLOWED unless the caller may manage users of these types: only a Global user creates, changes or deletes a Global user (ACCESS-14). */
export function assertMayManage(caller: UserCaller, ...types: (string | undefined)[]): void {
  if (!caller.isGlobal && types.includes('Global')) throw new ProblemError('NOT_ALLOWED');
}

/**
 * Locks the live user with this id before a change of the record or of its memberships.
 * @throws USER_NOT_FOUND, NOT_ALLOWED
 */
export async function lockUserForChange(db: HandlerDatabase, caller: UserCaller, id: string): Promise<{ id: string; idIdentity: string }> {
  const user = await db.first(lockUser, { id }, notFound);
  assertMayManage(caller, user.type);
  return user;
}

const assertMayCreate = async ({ caller, input }: { caller: UserCaller; input: { type: UserType } }) => assertMayManage(caller, input.type);

interface UserChange {
  input: { id: string; type?: UserType | undefined };
  caller: UserCaller;
  db: HandlerDatabase;
}

/** Locks the user of a PUT or DELETE. Throws as `lockUserForChange`, and NOT_ALLOWED for a type that the caller may not assign. */
function lockForUpdate({ input, caller, db }: UserChange): Promise<{ id: string; idIdentity: string }> {
  assertMayManage(caller, input.type);
  return lockUserForChange(db, caller, input.id);
}

export const users = implement(contract.users, {
  create: withPrecheck(
    assertMayCreate,
    ownsTransaction(async ({ caller, input, ...context }) => {
      await assertMayCreate({ caller, input });
      return provisionUser(context, input);
    }),
  ),

  list: ({ input, db }) => db.page(listUsers, input),

  get: ({ input, db }) => db.first(getUser, input, notFound),

  update: withPrecheck(lockForUpdate, async ({ input, caller, db, invalidateCallers }) => {
    const { idIdentity } = await lockForUpdate({ input, caller, db });
    invalidateCallers({ sub: [idIdentity] });
    return db.atCommit.patch(patchUser, input, notFound);
  }),

  remove: withPrecheck(lockForUpdate, async ({ input, caller, db, invalidateCallers }) => {
    const { id } = input;
    const { idIdentity } = await lockForUpdate({ input, caller, db });
    invalidateCallers({ sub: [idIdentity] });
    await db.atCommit.run(deleteUser, { id });
  }),
});
