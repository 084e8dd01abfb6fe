import { ProblemError, type UserType } from '@profile-service/contracts';
import { newId, type HandlerDatabase } from '@profile-service/db';
import type { HandlerContext, Transaction } from '../handler/handler.ts';

export interface NewUser {
  name: string;
  email: string;
  federalTaxId: string;
  type: UserType;
  jobTitle?: string | null | undefined;
  customerId?: string | null | undefined;
}

export type Provisioning = Pick<HandlerContext<never>, 'db' | 'identity' | 'jobs' | 'transaction'>;

/**
 * Creates a user (specification 4.1): the identity first, then the local record, so that no user is ever without
 * identity; a retry after a crash in between finds the identity and goes on.
 * The password mail is a job that is added in the same transaction, so it is owed exactly when the user exists.
 * @param alongside what else belongs into the transaction of the user's creation
 * @throws USER_ALREADY_EXISTS, CUSTOMER_NOT_FOUND, IDENTITY_ALREADY_LINKED, IDENTITY_PROVIDER_UNAVAILABLE, VALIDATION_FAILED
 */
export async function provisionUser(
  { db, identity, jobs, transaction }: Provisioning,
  person: NewUser,
  alongside: (unit: Transaction, userId: string) => Promise<void> = async () => undefined,
) {
  // Looked at before the provider is asked, so that a refusal leaves no identity behind. The constraints decide.
  await refuseKnown(db, person);
  const { subject, needsPassword } = (await identity.findByEmail(person.email)) ?? (await identity.create(person));

  return transaction(async (unit) => {
    const user = await unit.db
      .insertInto('users')
      .values({ ...person, id: newId(), idIdentity: subject })
      .returningAll()
      .executeTakeFirstOrThrow();
    await alongside(unit, user.id);
    // The subject may have been a stranger's until now.
    unit.invalidateCallers({ sub: [subject] });
    if (needsPassword) await jobs.add(unit, 'password-mail', { userId: user.id });
    return user;
  });
}

async function refuseKnown(db: HandlerDatabase, { email, federalTaxId, customerId }: NewUser): Promise<void> {
  const known = await db
    .selectFrom('users')
    .select('id')
    .where('deletedAt', 'is', null)
    .where((eb) => eb.or([eb('email', '=', email), eb('federalTaxId', '=', federalTaxId)]))
    .executeTakeFirst();
  if (known) throw new ProblemError('USER_ALREADY_EXISTS');
  if (!customerId) return;
  await db
    .selectFrom('customers')
    .select('id')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow(() => new ProblemError('CUSTOMER_NOT_FOUND'));
}
