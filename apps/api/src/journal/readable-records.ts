import { type Caller, may, type UserCaller } from '@profile-service/auth';
import { endpoints, recordOf, type RecordType } from '@profile-service/contracts';
import type { VisibleEntry } from '@profile-service/db';

const endpointsByName = new Map(endpoints.map(({ name, endpoint }) => [name, endpoint]));

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

/** Whether one of the endpoints shows records of the type to the caller. */
export const mayReadType = (caller: UserCaller, type: RecordType): boolean => decide(caller, type) !== 'denied';

/** The most that one of the endpoints allows. */
function decide(caller: UserCaller, type: string) {
  const all = recordOf(type as RecordType).readers.map((name) => {
    const access = endpointsByName.get(name)?.access;
    return access?.kind === 'user' ? may(caller, access) : 'denied';
  });
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
