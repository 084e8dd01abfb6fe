import { activeTenantId, type Caller } from '@profile-service/auth';
import { contract, type ErrorCode, ProblemError } from '@profile-service/contracts';
import {
  addressColumns,
  columns,
  type DB,
  errorCodeOf,
  fieldsOf,
  type UnscopedDatabase,
  newId,
  type Placeholders,
  unscopedStatement,
} from '@profile-service/db';
import type { Kysely } from 'kysely';
import { bodyColumns } from '../request/declared-columns.ts';
import type { InputOf } from '../request/handler.ts';
import { grantOf, linkOf } from './link-organization.ts';
import { insertContacts, type NewContacts, toNewContacts } from './new-contacts.ts';
import { whenTenantDeleted } from './tenant-deleted.ts';

type CreateInput = InputOf<typeof contract.organizations.create>;
interface NewOrganization {
  organization: Omit<CreateInput, 'address' | 'contacts'> & { id: string; organizationAddressId: string };
  address: CreateInput['address'] & { id: string; organizationId: string };
  contacts: NewContacts;
}

const organizationColumns = bodyColumns(contract.organizations.create, 'address', 'contacts');

/** The error codes of the address's foreign keys in this operation (ORGANIZATIONS-6). */
const renamed: Partial<Record<ErrorCode, ErrorCode>> = { STATE_NOT_FOUND: 'INVALID_STATE', CITY_NOT_FOUND: 'INVALID_CITY' };

type Linked = NewOrganization & { link: { organizationId: string; tenantId: string } };
type Granted = NewOrganization & { link: Linked['link'] & { userId: string } };

const insertOrganization = unscopedStatement('creates the link', (db, p: Placeholders<NewOrganization>) => insertionOf(db, p));
const insertLinked = unscopedStatement('creates the link', (db, p: Placeholders<Linked>) =>
  insertionOf(
    db.with('link', (cte) => linkOf(cte, fieldsOf(p.link))),
    p,
  ),
);
const insertGranted = unscopedStatement('creates the link', (db, p: Placeholders<Granted>) =>
  insertionOf(
    db.with('link', (cte) => linkOf(cte, fieldsOf(p.link))).with('grant', (cte) => grantOf(cte, fieldsOf(p.link))),
    p,
  ),
);

/** One statement, since the records refer to each other: PostgreSQL checks their foreign keys at its end. */
function insertionOf(db: Pick<Kysely<DB>, 'with'>, p: Placeholders<NewOrganization>) {
  const organization = fieldsOf(p.organization);
  const address = fieldsOf(p.address);
  return db
    .with('newAddress', (cte) =>
      cte.insertInto('organizationAddresses').values(columns(address, 'id', 'organizationId', ...addressColumns)),
    )
    .with('newContacts', (cte) => insertContacts(cte, organization.id, fieldsOf(p.contacts)))
    .insertInto('organizations')
    .values(columns(organization, 'id', 'organizationAddressId', ...organizationColumns))
    .returningAll();
}

/**
 * Creates an organization with its current address and its contacts (ORGANIZATIONS-1). With an active tenant, links the organization to it and, if the
 * caller's membership is RESTRICTED, grants it to the caller. All in one statement.
 * @throws ORGANIZATION_ALREADY_EXISTS, INVALID_STATE, INVALID_CITY, CITY_STATE_MISMATCH; TENANT_NOT_ALLOWED or CLIENT_NOT_LINKED if the tenant was deleted
 *   after the caller was loaded
 */
export async function createOrganization(unscoped: UnscopedDatabase, caller: Caller, input: CreateInput) {
  const { address, contacts = [], ...fields } = input;
  const [organizationId, organizationAddressId] = [newId(), newId()];
  const records = {
    organization: { ...fields, id: organizationId, organizationAddressId },
    address: { ...address, id: organizationAddressId, organizationId },
    contacts: toNewContacts(contacts),
  };
  const tenantId = activeTenantId(caller);
  const insert = () => {
    if (tenantId === null) return unscoped.atCommit.one(insertOrganization, records);
    const link = { organizationId, tenantId };
    if (caller.kind === 'service') return unscoped.atCommit.one(insertLinked, { ...records, link });
    return unscoped.atCommit.one(insertGranted, { ...records, link: { ...link, userId: caller.userId } });
  };
  return insert().catch(renameReferences).catch(whenTenantDeleted(caller));
}

function renameReferences(error: unknown): never {
  const code = renamed[errorCodeOf(error) ?? 'INTERNAL_ERROR'];
  throw code ? new ProblemError(code, { cause: error }) : error;
}
