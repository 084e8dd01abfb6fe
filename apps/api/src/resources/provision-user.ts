import { ProblemError, type UserType } from '@profile-service/contracts';
import { columns, type HandlerDatabase, newId, type Placeholders, statement } from '@profile-service/db';
import type { HandlerContext, Transaction } from '../handler/handler.ts';

export interface NewUser {
  name: string;
  email: string;
  federalTaxId: string;
  type: UserType;
  jobTitle?: string | null | undefined;
  customerId?: string | null | undefined;
}

interface UserRow extends NewUser {
  id: string;
  idIdentity: string;
}

const insertUser = statement((db, p: Placeholders<UserRow>) =>
  db
    .insertInto('users')
    .values(columns(p, 'id', 'idIdentity', 'name', 'email', 'federalTaxId', 'type', 'jobTitle', 'customerId'))
    .returningAll(),
);
const findKnown = statement((db, p: Placeholders<Pick<NewUser, 'email' | 'federalTaxId'>>) =>
  db
    .selectFrom('users')
    .select('id')
    .where('deletedAt', 'is', null)
    .where((eb) => eb.or([eb('email', '=', p.email), eb('federalTaxId', '=', p.federalTaxId)])),
);
const findCustomer = statement((db, p: Placeholders<{ id: string }>) => db.selectFrom('customers').select('id').where('id', '=', p.id));

export type Provisioning = Pick<HandlerContext<never>, 'db' | 'identity' | 'jobs' | 'transaction'>;

/**
 * Creates a user (specification 4.1): the identity first, then the local record, so that no user is ever without
 * identity. A retry after a crash in between finds the identity.
 * The password mail is a job that is added in the same transaction, so it is due exactly when the user exists.
 * @param alongside further writes in the transaction that creates the user
 * @throws USER_ALREADY_EXISTS, CUSTOMER_NOT_FOUND, IDENTITY_ALREADY_LINKED, IDENTITY_PROVIDER_UNAVAILABLE, VALIDATION_FAILED
 */
export async function provisionUser(
  { db, identity, jobs, transaction }: Provisioning,
  person: NewUser,
  alongside: (unit: Transaction, userId: string) => Promise<void> = async () => undefined,
) {
  // Checked before the provider is called, so that a refusal leaves no identity behind. The constraints decide.
  await refuseKnown(db, person);
  const { subject, needsPassword } = (await identity.findByEmail(person.email)) ?? (await identity.create(person));

  return transaction(async (unit) => {
    const user = await unit.db.one(insertUser, { ...person, id: newId(), idIdentity: subject });
    await alongside(unit, user.id);
    // Until now the cache may hold that this subject is no user.
    unit.invalidateCallers({ sub: [subject] });
    if (needsPassword) await jobs.add(unit, 'password-mail', { userId: user.id });
    return user;
  });
}

async function refuseKnown(db: HandlerDatabase, person: NewUser): Promise<void> {
  if (await db.first(findKnown, person)) throw new ProblemError('USER_ALREADY_EXISTS');
  if (!person.customerId) return;
  await db.first(findCustomer, { id: person.customerId }, () => new ProblemError('CUSTOMER_NOT_FOUND'));
}
