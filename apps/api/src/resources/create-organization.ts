import type { Caller } from '@profile-service/auth';
import { type ErrorCode, type organizations, ProblemError } from '@profile-service/contracts';
import { addressColumns, columns, errorCodeOf, fieldsOf, newId, type Placeholders, unscopedStatement } from '@profile-service/db';
import type { InputOf, Transaction } from '../handler/handler.ts';
import { linkToActiveTenant } from './link-organization.ts';
import { insertContacts, type NewContacts, toNewContacts } from './new-contacts.ts';

type CreateInput = InputOf<typeof organizations.create>;
interface NewOrganization {
  organization: Omit<CreateInput, 'address' | 'contacts'> & { id: string; organizationAddressId: string };
  address: CreateInput['address'] & { id: string; organizationId: string };
  contacts: NewContacts;
}

/** The error codes of the address's foreign keys in this operation (ORGANIZATIONS-6). */
const renamed: Partial<Record<ErrorCode, ErrorCode>> = { STATE_NOT_FOUND: 'INVALID_STATE', CITY_NOT_FOUND: 'INVALID_CITY' };

/** One statement, since the records refer to each other: PostgreSQL checks their foreign keys at its end. */
const insertOrganization = unscopedStatement('creates the link', (db, p: Placeholders<NewOrganization>) => {
  const organization = fieldsOf(p.organization);
  const address = fieldsOf(p.address);
  return db
    .with('newAddress', (cte) =>
      cte.insertInto('organizationAddresses').values(columns(address, 'id', 'organizationId', ...addressColumns)),
    )
    .with('newContacts', (cte) => insertContacts(cte, organization.id, fieldsOf(p.contacts)))
    .insertInto('organizations')
    .values(
      columns(
        organization,
        'id',
        'name',
        'alias',
        'federalTaxId',
        'stateTaxId',
        'municipalTaxId',
        'logoPath',
        'active',
        'listed',
        'metadata',
        'organizationAddressId',
      ),
    )
    .returningAll();
});

/**
 * Creates an organization with its current address and its contacts in one statement (ORGANIZATIONS-1).
 * With an active tenant, links the organization to it.
 * @throws ORGANIZATION_ALREADY_EXISTS, INVALID_STATE, INVALID_CITY, CITY_STATE_MISMATCH
 */
export async function createOrganization({ db }: Pick<Transaction, 'db'>, caller: Caller, input: CreateInput) {
  const { address, contacts = [], ...fields } = input;
  const [organizationId, organizationAddressId] = [newId(), newId()];
  const organization = await db
    .one(insertOrganization, {
      organization: { ...fields, id: organizationId, organizationAddressId },
      address: { ...address, id: organizationAddressId, organizationId },
      contacts: toNewContacts(contacts),
    })
    .catch(renameReferences);
  await linkToActiveTenant(db, caller, organizationId);
  return organization;
}

function renameReferences(error: unknown): never {
  const code = renamed[errorCodeOf(error) ?? 'INTERNAL_ERROR'];
  throw code ? new ProblemError(code, { cause: error }) : error;
}
