import { type Caller, may, type UserCaller } from '@profile-service/auth';
import { contract, type Endpoint, type RecordType } from '@profile-service/contracts';
import type { VisibleEntry } from '@profile-service/db';

/** The endpoints that show the records of a type. */
const readers: Record<RecordType, readonly Endpoint[]> = {
  user: [contract.users.get, contract.users.list],
  membership: [contract.memberships.list, contract.memberships.users],
  organizationScope: [contract.organizationScopes.get],
  customer: [contract.customers.get, contract.customers.list],
  app: [contract.apps.get, contract.apps.list],
  tenant: [contract.tenants.get, contract.tenants.list],
  organization: [contract.organizations.get, contract.organizations.list],
  organizationLink: [contract.tenants.organizations],
  organizationAddress: [contract.organizationAddresses.get, contract.organizationAddresses.list],
  organizationContact: [contract.organizationContacts.get, contract.organizationContacts.list],
  documentType: [contract.documentTypes.get, contract.documentTypes.list],
  state: [contract.states.get, contract.states.list],
  city: [contract.cities.get, contract.cities.list],
  attachment: [contract.attachments.get, contract.attachments.list],
};

interface RecordName {
  type: string;
  /** Null in an entry of a refused request that names no record. */
  id: string | null;
}

/** Whether the caller may see the values of a record in an entry. */
export type MayRead = (entry: VisibleEntry, record: RecordName) => boolean;

export function readableRecords(caller: Caller): MayRead {
  if (caller.kind === 'service') return isShownToApplication;
  const decisions = new Map<string, 'allowed' | 'own-tenant' | 'denied'>();
  return (_entry, { type, id }) => {
    let decision = decisions.get(type);
    if (!decision) decisions.set(type, (decision = decide(caller, type)));
    return decision === 'allowed' || (decision === 'own-tenant' && caller.tenant !== null && tenantOf(id) === caller.tenant.id);
  };
}

/** The most that one of the endpoints allows. */
function decide(caller: UserCaller, type: string) {
  const all = (readers[type as RecordType] ?? []).map(({ access }) => (access.kind === 'user' ? may(caller, access) : 'denied'));
  return all.includes('allowed') ? 'allowed' : all.includes('own-tenant') ? 'own-tenant' : 'denied';
}

/** The tenant of a record of type tenant, or of one whose id ends with `:<tenantId>`: a link, a membership or an organization scope. */
export const tenantOf = (id: string | null) => id?.split(':').at(-1);

/** Whether `/service` shows the record now: an organization in scope, or its document. */
function isShownToApplication(
  { organizationInScope, organizationId, isDocument, recordId }: VisibleEntry,
  { type, id }: RecordName,
): boolean {
  if (!organizationInScope) return false;
  return type === 'organization' ? id === organizationId : type === 'attachment' && isDocument && id === recordId;
}
