import type { Caller } from '@profile-service/auth';
import { type ErrorCode, type organizations, ProblemError } from '@profile-service/contracts';
import { errorCodeOf, newId, unscoped } from '@profile-service/db';
import type { InputOf, Transaction } from '../handler/handler.ts';
import { linkToActiveTenant } from './link-organization.ts';

/** What the address's foreign keys mean here (specification 4.8). */
const renamed: Partial<Record<ErrorCode, ErrorCode>> = { STATE_NOT_FOUND: 'INVALID_STATE', CITY_NOT_FOUND: 'INVALID_CITY' };

/**
 * Creates an organization with its current address and contacts, all or nothing (specification 4.8).
 * With an active tenant the organization is linked to it.
 * @throws ORGANIZATION_ALREADY_EXISTS, INVALID_STATE, INVALID_CITY, CITY_STATE_MISMATCH
 */
export async function createOrganization({ db }: Pick<Transaction, 'db'>, caller: Caller, input: InputOf<typeof organizations.create>) {
  const { address, contacts = [], ...fields } = input;
  const [organizationId, organizationAddressId] = [newId(), newId()];
  const whole = unscoped(db, 'creates the link');
  // One statement for the two that refer to each other: the database checks at its end.
  const organization = await whole
    .with('newAddress', (cte) => cte.insertInto('organizationAddresses').values({ ...address, id: organizationAddressId, organizationId }))
    .insertInto('organizations')
    .values({ ...fields, id: organizationId, organizationAddressId })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(renameReferences);
  if (contacts.length > 0) {
    const rows = contacts.map((contact) => ({ ...contact, id: newId(), organizationId }));
    await whole.insertInto('organizationContacts').values(rows).execute();
  }
  await linkToActiveTenant(db, caller, organizationId);
  return organization;
}

function renameReferences(error: unknown): never {
  const code = renamed[errorCodeOf(error) ?? 'INTERNAL_ERROR'];
  throw code ? new ProblemError(code, { cause: error }) : error;
}
