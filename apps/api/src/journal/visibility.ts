import { activeTenantId, type Caller } from '@profile-service/auth';
import { recordOf, type RecordType } from '@profile-service/contracts';
import type { RelatedChange, VisibleEntry } from '@profile-service/db';
import { type MayRead, tenantOf } from './readable-records.ts';

/** Which parts of a visible entry are visible, besides the actor and the tenant (AUDIT-24 to AUDIT-27). */
export interface EntryVisibility {
  /** Whether the changes of the record name nothing that is hidden. */
  values(entry: VisibleEntry): boolean;
  related(entry: VisibleEntry, row: RelatedChange): boolean;
  cascade(entry: VisibleEntry): boolean;
}

const visible = () => true;

const ownerOf = (type: string | null) => (type === null ? 'shared' : recordOf(type as RecordType).owner);

/** A Global user without an active tenant sees all parts. All others see what belongs to their tenant and to the organizations in their scope. */
export function visibilityFor(caller: Caller, mayRead: MayRead): EntryVisibility {
  if (caller.organizationScope.kind === 'all') return { values: visible, related: visible, cascade: visible };
  const tenantId = activeTenantId(caller);
  return {
    // An attachment may have belonged to an organization of another tenant before.
    values: ({ recordType, before, isOfTenant, organizationsInScope }) => {
      const earlier = recordType === 'attachment' ? before?.['entityId'] : null;
      return isOfTenant || typeof earlier !== 'string' || organizationsInScope.includes(earlier);
    },
    related: (entry, row) => {
      const owner = ownerOf(row.type);
      if (owner === 'tenant') return tenantId !== null && tenantOf(row.id) === tenantId;
      if (owner === 'shared') return mayRead(entry, row);
      const organizationId = organizationOf(row) ?? entry.organizationId;
      return organizationId !== null && (organizationId === entry.organizationId || entry.organizationsInScope.includes(organizationId));
    },
    // The counts of a shared record include rows of all tenants. Those of a link are rows of its tenant, also if the organization is in scope.
    cascade: ({ recordType, recordId, isOfTenant }) => {
      // The filters of an export may name what is outside of the scope of a RESTRICTED member.
      if (recordId === null) return isOfTenant && caller.organizationScope.kind === 'tenant';
      const owner = ownerOf(recordType);
      return owner === 'organization' || (owner === 'tenant' && isOfTenant);
    },
  };
}

const organizationOf = ({ organizationId, before, after }: RelatedChange) =>
  organizationId ?? ((after ?? before)?.['organizationId'] as string | undefined);
