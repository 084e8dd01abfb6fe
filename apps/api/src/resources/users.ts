import { contract, ProblemError } from '@profile-service/contracts';
import type { UserCaller } from '@profile-service/auth';
import { contains, type HandlerDatabase, pageOf, patch } from '@profile-service/db';
import { implement, ownsTransaction } from '../handler/handler.ts';
import { provisionUser } from './provision-user.ts';

const notFound = () => new ProblemError('USER_NOT_FOUND');

/** Only a Global user makes, changes or deletes a Global user. */
function guardGlobal(caller: UserCaller, ...types: (string | undefined)[]): void {
  if (!caller.isGlobal && types.includes('Global')) throw new ProblemError('NOT_ALLOWED');
}

/** The live user with this id, for a change of their record or of what hangs on it. Throws USER_NOT_FOUND, or NOT_ALLOWED. */
export async function userToChange(db: HandlerDatabase, caller: UserCaller, id: string): Promise<{ id: string; idIdentity: string }> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'idIdentity', 'type'])
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  guardGlobal(caller, user.type);
  return user;
}

export const users = implement(contract.users, {
  create: ownsTransaction(async ({ caller, input, ...context }) => {
    guardGlobal(caller, input.type);
    return provisionUser(context, input);
  }),

  list: ({ input: { name, email, type, customerId, ...paging }, db }) =>
    pageOf(
      db
        .selectFrom('users')
        .selectAll()
        .where('deletedAt', 'is', null)
        .$if(name !== undefined, (query) => query.where(contains('users.searchName', name ?? '')))
        .$if(email !== undefined, (query) => query.where(contains('users.email', email ?? '')))
        .$if(type !== undefined, (query) => query.where('type', '=', type ?? 'Admin'))
        .$if(customerId !== undefined, (query) => query.where('customerId', '=', customerId ?? '')),
      paging,
      (query) => query.orderBy('id', 'desc'),
    ),

  get: ({ input, db }) =>
    db.selectFrom('users').selectAll().where('id', '=', input.id).where('deletedAt', 'is', null).executeTakeFirstOrThrow(notFound),

  update: async ({ input: { id, ...fields }, caller, db, invalidateCallers }) => {
    guardGlobal(caller, fields.type);
    const { idIdentity } = await userToChange(db, caller, id);
    invalidateCallers({ sub: [idIdentity] });
    return (await patch(db, 'users', { id }, fields)) ?? Promise.reject(notFound());
  },

  remove: async ({ input, caller, db, invalidateCallers }) => {
    const { idIdentity } = await userToChange(db, caller, input.id);
    await db.updateTable('users').set({ deletedAt: new Date().toISOString() }).where('id', '=', input.id).execute();
    invalidateCallers({ sub: [idIdentity] });
  },
});
