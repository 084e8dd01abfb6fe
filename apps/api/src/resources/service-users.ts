import { contract, type Persona, ProblemError } from '@profile-service/contracts';
import { errorCodeOf, type Placeholders, statement } from '@profile-service/db';
import { external } from '../request/handler.ts';
import { implement } from '../request/router.ts';
import { assign } from './memberships.ts';
import { type NewUser, provisionUser, type ProvisioningContext } from './provision-user.ts';
import { whenTenantDeleted } from './tenant-deleted.ts';

type Identifiers = Pick<NewUser, 'email' | 'federalTaxId'>;

const findMatches = statement((db, p: Placeholders<Identifiers>) =>
  db
    .selectFrom('users')
    .selectAll()
    .where('deletedAt', 'is', null)
    .where((eb) => eb.or([eb('email', '=', p.email), eb('federalTaxId', '=', p.federalTaxId)])),
);
const lockUser = statement((db, p: Placeholders<{ id: string }>) =>
  db.selectFrom('users').selectAll().where('id', '=', p.id).where('deletedAt', 'is', null).forUpdate(),
);

/** How often a request looks for the user, if other requests create or delete the user meanwhile. */
const mostAttempts = 5;

export const serviceUsers = implement(contract.service.users, {
  create: external({
    async run({ caller, input: { persona, ...person }, ...context }) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await provisionMember(context, person, caller.tenantId, persona);
        } catch (error) {
          if (!lostRace(error)) return whenTenantDeleted(caller)(error);
          // The next attempt finds the present state.
          if (attempt === mostAttempts) throw new ProblemError('SERVICE_UNAVAILABLE', { cause: error });
        }
      }
    },
  }),
});

/** Creates a user with a membership, or adds the membership to the existing user (USERS-27 to USERS-30). */
async function provisionMember(context: ProvisioningContext, person: NewUser, tenantId: string, persona: Persona) {
  const matches = await context.unscoped.all(findMatches, person);
  const [known] = matches;
  if (!known) {
    return provisionUser(context, person, ({ unscoped }, userId) => assign(unscoped, { userId, tenantId, persona }));
  }
  if (matches.length > 1) throw new ProblemError('USER_DATA_MISMATCH');
  assertSamePerson(known, person);
  return context.transaction(async ({ unscoped, invalidateCallers }) => {
    // The user may have been deleted or changed since the look-up.
    const user = await unscoped.first(lockUser, { id: known.id }, () => new ProblemError('USER_NOT_FOUND'));
    assertSamePerson(user, person);
    invalidateCallers({ sub: [user.idIdentity] });
    await assign(unscoped.atCommit, { userId: user.id, tenantId, persona });
    return user;
  });
}

/** Throws USER_DATA_MISMATCH unless both e-mail address and tax id are equal. */
function assertSamePerson(user: Identifiers, person: Identifiers): void {
  if (user.email !== person.email || user.federalTaxId !== person.federalTaxId) throw new ProblemError('USER_DATA_MISMATCH');
}

/** Whether another request created or deleted the same user after this one looked for it. */
function lostRace(error: unknown): boolean {
  const code = error instanceof ProblemError ? error.code : errorCodeOf(error);
  return code === 'USER_ALREADY_EXISTS' || code === 'USER_NOT_FOUND';
}
