import { contract, type Persona, ProblemError } from '@profile-service/contracts';
import { errorCodeOf, type Placeholders, statement } from '@profile-service/db';
import { implement, ownsTransaction } from '../handler/handler.ts';
import { assign } from './memberships.ts';
import { type NewUser, provisionUser, type ProvisioningContext } from './provision-user.ts';
import { whenTenantDeleted } from './tenant-deleted.ts';

const findMatches = statement((db, p: Placeholders<Pick<NewUser, 'email' | 'federalTaxId'>>) =>
  db
    .selectFrom('users')
    .selectAll()
    .where('deletedAt', 'is', null)
    .where((eb) => eb.or([eb('email', '=', p.email), eb('federalTaxId', '=', p.federalTaxId)])),
);

export const serviceUsers = implement(contract.service.users, {
  create: ownsTransaction(async ({ caller, input: { persona, ...person }, ...context }) => {
    const provision = () => provisionMember(context, person, caller.tenantId, persona);
    // If a concurrent request has created the user, retry once: the retry finds that user.
    return provision()
      .catch((error: unknown) => (lostRace(error) ? provision() : Promise.reject(error as Error)))
      .catch(whenTenantDeleted(caller));
  }),
});

/** Creates a user with a membership, or adds the membership to the existing user (USERS-27 to USERS-30). */
async function provisionMember(context: ProvisioningContext, person: NewUser, tenantId: string, persona: Persona) {
  const matches = await context.db.all(findMatches, person);
  const [known] = matches;
  if (!known) {
    return provisionUser(context, person, ({ db }, userId) => assign(db, { userId, tenantId, persona }));
  }
  if (matches.length > 1 || known.email !== person.email || known.federalTaxId !== person.federalTaxId) {
    throw new ProblemError('USER_DATA_MISMATCH');
  }
  return context.transaction(async ({ db, invalidateCallers }) => {
    invalidateCallers({ sub: [known.idIdentity] });
    await assign(db.atCommit, { userId: known.id, tenantId, persona });
    return known;
  });
}

/** Whether another request created the same user after this one looked for it. */
function lostRace(error: unknown): boolean {
  const code = error instanceof ProblemError ? error.code : errorCodeOf(error);
  return code === 'USER_ALREADY_EXISTS' || code === 'IDENTITY_ALREADY_LINKED';
}
