import { contract, type Persona, ProblemError } from '@profile-service/contracts';
import { errorCodeOf, type HandlerDatabase } from '@profile-service/db';
import { implement, ownsTransaction } from '../handler/handler.ts';
import { whenTenantDeleted } from './tenant-deleted.ts';
import { assign } from './memberships.ts';
import { type NewUser, provisionUser, type Provisioning } from './provision-user.ts';

export const serviceUsers = implement(contract.service.users, {
  create: ownsTransaction(async ({ caller, input: { persona, ...person }, ...context }) => {
    const ensure = () => ensureMember(context, person, caller.tenantId, persona);
    // Two first calls at once: the one that lost finds what the other made.
    return ensure()
      .catch((error: unknown) => (lostRace(error) ? ensure() : Promise.reject(error as Error)))
      .catch(whenTenantDeleted(caller));
  }),
});

/** Provisions a person for a tenant by the three rules of specification 4.1, POST /service/users. */
async function ensureMember(context: Provisioning, person: NewUser, tenantId: string, persona: Persona) {
  const matches = await matching(context.db, person);
  const [known] = matches;
  if (!known) {
    return provisionUser(context, person, ({ db }, userId) => assign(db, { userId, tenantId, persona }));
  }
  if (matches.length > 1 || known.email !== person.email || known.federalTaxId !== person.federalTaxId) {
    throw new ProblemError('USER_DATA_MISMATCH');
  }
  await context.transaction(async ({ db, invalidateCallers }) => {
    await assign(db, { userId: known.id, tenantId, persona });
    invalidateCallers({ sub: [known.idIdentity] });
  });
  return known;
}

function matching(db: HandlerDatabase, { email, federalTaxId }: NewUser) {
  return db
    .selectFrom('users')
    .selectAll()
    .where('deletedAt', 'is', null)
    .where((eb) => eb.or([eb('email', '=', email), eb('federalTaxId', '=', federalTaxId)]))
    .execute();
}

function lostRace(error: unknown): boolean {
  const code = error instanceof ProblemError ? error.code : errorCodeOf(error);
  return code === 'USER_ALREADY_EXISTS' || code === 'IDENTITY_ALREADY_LINKED';
}
