import type { UserCaller } from '@profile-service/auth';
import { contract, ProblemError, type UserType } from '@profile-service/contracts';
import {
  contains,
  type UnscopedDatabase,
  ifGiven,
  now,
  pageStatement,
  patchStatement,
  type Placeholder,
  type Placeholders,
  statement,
} from '@profile-service/db';
import { exportRecords, external, read, write } from '../request/handler.ts';
import { readList } from '../request/read-list.ts';
import { implement } from '../request/router.ts';
import { bodyColumns, listedColumns } from '../request/declared-columns.ts';
import { provisionUser } from './provision-user.ts';

const notFound = () => new ProblemError('USER_NOT_FOUND');

type ById = Placeholders<{ id: string }>;

const lockUser = statement((db, p: ById) =>
  db.selectFrom('users').select(['id', 'idIdentity', 'type']).where('id', '=', p.id).where('deletedAt', 'is', null).forUpdate(),
);
const listUsers = pageStatement(contract.users.list, (db, p) =>
  db
    .selectFrom('users')
    .select(listedColumns(contract.users.list, 'users'))
    .where('users.deletedAt', 'is', null)
    .where((eb) => ifGiven(p.search, (text) => eb.or([contains('users.searchName', text), contains('users.email', text)])))
    .where((eb) => {
      const memberships = eb.selectFrom('memberships').select('userId').whereRef('memberships.userId', '=', 'users.id');
      const inTenant = (tenantId: Placeholder<string>) =>
        memberships
          .where('tenantId', '=', tenantId)
          .where(({ eb: ofMembership }) => ifGiven(p.persona, (persona) => ofMembership('persona', '=', persona)));
      return eb.and([
        ifGiven(p.tenantId, (tenantId) => eb.exists(inTenant(tenantId))),
        ifGiven(p.persona, (persona) => eb.exists(memberships.where('persona', '=', persona))),
      ]);
    }),
);
const getUser = statement((db, p: ById) => db.selectFrom('users').selectAll().where('id', '=', p.id).where('deletedAt', 'is', null));
const patchUser = patchStatement('users', 'id', bodyColumns(contract.users.update, 'id'));
const deleteUser = statement((db, p: ById) => db.updateTable('users').set({ deletedAt: now }).where('id', '=', p.id));

/** Throws NOT_ALLOWED unless the caller may manage users of these types: only a Global user creates, changes or deletes a Global user (ACCESS-14). */
export function assertMayManage(caller: UserCaller, ...types: (string | undefined)[]): void {
  if (!caller.isGlobal && types.includes('Global')) throw new ProblemError('NOT_ALLOWED');
}

/**
 * Locks the live user with this id before a change of the record or of its memberships.
 * @throws USER_NOT_FOUND, NOT_ALLOWED
 */
export async function lockUserForChange(db: UnscopedDatabase, caller: UserCaller, id: string): Promise<{ id: string; idIdentity: string }> {
  const user = await db.first(lockUser, { id }, notFound);
  assertMayManage(caller, user.type);
  return user;
}

async function assertMayCreate({ caller, input }: { caller: UserCaller; input: { type: UserType } }): Promise<void> {
  assertMayManage(caller, input.type);
}

interface UserChange {
  input: { id: string; type?: UserType | undefined };
  caller: UserCaller;
  unscoped: UnscopedDatabase;
}

/** Locks the user of a PUT or DELETE. Throws as `lockUserForChange`, and NOT_ALLOWED for a type that the caller may not assign. */
async function lockForUpdate({ input, caller, unscoped }: UserChange): Promise<{ id: string; idIdentity: string }> {
  assertMayManage(caller, input.type);
  return lockUserForChange(unscoped, caller, input.id);
}

export const users = implement(contract.users, {
  create: external({ check: assertMayCreate, run: ({ input, ...context }) => provisionUser(context, input) }),

  list: read(({ input, unscoped }) => readList(unscoped, listUsers, input)),

  export: exportRecords({ statement: ({ sort }) => listUsers.allBy(sort) }),

  get: read(({ input, unscoped }) => unscoped.first(getUser, input, notFound)),

  update: write(lockForUpdate, async ({ input, unscoped, invalidateCallers }, { idIdentity }) => {
    invalidateCallers({ sub: [idIdentity] });
    return unscoped.atCommit.patch(patchUser, input, notFound);
  }),

  remove: write(lockForUpdate, async ({ input: { id }, unscoped, invalidateCallers }, { idIdentity }) => {
    invalidateCallers({ sub: [idIdentity] });
    await unscoped.atCommit.run(deleteUser, { id });
  }),
});
