import { ProblemError, type UserType } from '@profile-service/contracts';
import { columns, type UnscopedDatabase, newId, type Placeholders, statement } from '@profile-service/db';
import { passwordMail } from '../jobs/password-mail.ts';
import type { ExternalContext } from '../request/handler.ts';
import type { Transaction } from '../request/transaction.ts';
import { findCustomer } from './customers.ts';

/** The fields of a new user, in the form that the contract accepts. */
export interface NewUser {
  name: string;
  email: string;
  federalTaxId: string;
  type: UserType;
  jobTitle?: string | null | undefined;
  customerId?: string | null | undefined;
}

interface NewUserRecord extends NewUser {
  id: string;
  idIdentity: string;
}

const insertUser = statement((db, p: Placeholders<NewUserRecord>) =>
  db
    .insertInto('users')
    .values(columns(p, 'id', 'idIdentity', 'name', 'email', 'federalTaxId', 'type', 'jobTitle', 'customerId'))
    .returningAll(),
);
const findExisting = statement((db, p: Placeholders<Pick<NewUser, 'email' | 'federalTaxId'>>) =>
  db
    .selectFrom('users')
    .select('id')
    .where('deletedAt', 'is', null)
    .where((eb) => eb.or([eb('email', '=', p.email), eb('federalTaxId', '=', p.federalTaxId)])),
);

/** What `provisionUser` uses of a handler's context. */
export type ProvisioningContext = Pick<ExternalContext<never>, 'unscoped' | 'identity' | 'jobs' | 'transaction'>;

/**
 * Creates a user (USERS-8, USERS-9): first the identity, then the record, so that every user has an identity. A retry after a crash finds the identity.
 * The transaction that inserts the record also adds the job for the password mail.
 * @param writeMore further writes in that transaction
 * @throws USER_ALREADY_EXISTS, CUSTOMER_NOT_FOUND, IDENTITY_ALREADY_LINKED, IDENTITY_PROVIDER_UNAVAILABLE, VALIDATION_FAILED
 */
export async function provisionUser(
  { unscoped, identity, jobs, transaction }: ProvisioningContext,
  person: NewUser,
  writeMore?: (tx: Transaction, userId: string) => Promise<void>,
) {
  // Check before calling the provider, so that a rejected request creates no identity. The constraints catch what changes meanwhile.
  await assertCreatable(unscoped, person);
  const { subject, needsPassword } = (await identity.findByEmail(person.email)) ?? (await identity.create(person));

  return transaction(async (tx) => {
    const user = await tx.unscoped.one(insertUser, { ...person, id: newId(), idIdentity: subject });
    await writeMore?.(tx, user.id);
    // The cache may contain a rejection of this subject.
    tx.invalidateCallers({ sub: [subject] });
    if (needsPassword) await jobs.add(tx, passwordMail, { userId: user.id });
    return user;
  });
}

/** Throws USER_ALREADY_EXISTS or CUSTOMER_NOT_FOUND. */
async function assertCreatable(db: UnscopedDatabase, person: NewUser): Promise<void> {
  if (await db.first(findExisting, person)) throw new ProblemError('USER_ALREADY_EXISTS');
  if (!person.customerId) return;
  await db.first(findCustomer, { id: person.customerId }, () => new ProblemError('CUSTOMER_NOT_FOUND'));
}
