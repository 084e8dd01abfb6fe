import type { ResolvedCaller } from './caller.ts';
import { permits } from './guard.ts';
import { type AuditEntry, type AuditedValues, type Model, pair } from './model.ts';
import { ruleOf } from './rules.ts';
import { seesOrganization } from './visibility.ts';

/** Selects all rows since the time $1, newest first. */
export const selectEntries = `
  select id, iso_timestamp(occurred_at) as "occurredAt", outcome, code, actor_kind as "actorKind", actor_id as "actorId",
         request_id as "requestId", operation, tenant_id as "tenantId", organization_id as "organizationId",
         record_type as "recordType", record_id as "recordId", before, after, related, cascade,
         exists (select from attachments where attachments.id::text = record_id and entity_type = 'DOCUMENT') as "isDocument"
  from audit_entries where occurred_at >= $1 order by occurred_at desc, audit_entries.id desc`;

/** What of an entry the caller sees; null for an entry that they do not see. */
export function viewOf(model: Model, who: ResolvedCaller, entry: AuditEntry) {
  if (!seesEntry(model, who, entry)) return null;
  const { id, occurredAt, outcome, code, requestId, operation, organizationId, recordType, recordId, related, cascade } = entry;
  const showsActor = seesActor(model, who, entry);
  const shown = (type: string | null, recordKey: string | null, values: AuditedValues) =>
    seesValues(model, who, entry, type, recordKey) ? changesOf(values) : null;
  return {
    id,
    occurredAt,
    outcome,
    code,
    actor: { kind: entry.actorKind, id: showsActor ? entry.actorId : null },
    requestId,
    operation,
    tenantId: showsActor ? entry.tenantId : null,
    organizationId,
    record: { type: recordType, id: recordId },
    changes: shown(recordType, recordId, entry),
    related: related.map((other) => ({ type: other.type, id: other.id, changes: shown(other.type, other.id, other) })),
    cascade,
  };
}

const seesEntry = (model: Model, who: ResolvedCaller, { tenantId, organizationId }: AuditEntry): boolean =>
  who.organizationScope === 'ALL' ||
  (who.tenant !== null && tenantId === who.tenant.id) ||
  (organizationId !== null && seesOrganization(model, who, organizationId));

function seesActor(model: Model, { organizationScope, tenant }: ResolvedCaller, { actorKind, actorId }: AuditEntry): boolean {
  if (organizationScope === 'ALL') return true;
  if (!tenant || actorId === null) return false;
  return actorKind === 'APPLICATION' ? actorId === tenant.id : model.users.has(actorId) && model.memberships.has(pair(actorId, tenant.id));
}

/** The endpoints that show the records of a type. */
const readers: Record<string, string[]> = {
  user: ['/api/users', '/api/users/{id}'],
  membership: ['/api/users/{userId}/tenants', '/api/tenants/{tenantId}/users'],
  organizationScope: ['/api/users/{userId}/tenants/{tenantId}/organizations'],
  customer: ['/api/customers', '/api/customers/{id}'],
  app: ['/api/apps', '/api/apps/{id}'],
  tenant: ['/api/tenants', '/api/tenants/{id}'],
  organization: ['/api/organizations', '/api/organizations/{id}'],
  organizationLink: ['/api/tenants/{tenantId}/organizations'],
  organizationAddress: ['/api/organization-addresses', '/api/organization-addresses/{id}'],
  organizationContact: ['/api/organization-contacts', '/api/organization-contacts/{id}'],
  documentType: ['/api/document-types', '/api/document-types/{id}'],
  state: ['/api/states', '/api/states/{stateCode}'],
  city: ['/api/cities', '/api/cities/{ibgeCode}'],
  attachment: ['/api/attachments', '/api/attachments/{id}'],
};

function seesValues(model: Model, who: ResolvedCaller, entry: AuditEntry, type: string | null, id: string | null): boolean {
  if (type === null) return true;
  if (!who.user) {
    // An application: the organizations and documents that `/service` lists.
    const { organizationId, isDocument, recordId } = entry;
    if (organizationId === null || !seesOrganization(model, who, organizationId)) return false;
    return (type === 'organization' && id === organizationId) || (type === 'attachment' && isDocument && id === recordId);
  }
  const decisions = readers[type]?.map((path) => {
    const rule = ruleOf('GET', path);
    return rule.kind === 'user' ? permits(who, rule) : 'no';
  });
  if (decisions?.includes('yes')) return true;
  const tenantId = type === 'tenant' ? id : id?.slice(-36);
  return decisions?.includes('own tenant') === true && tenantId === who.tenant?.id;
}

function changesOf({ before, after }: AuditedValues) {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].toSorted();
  return fields
    .map((field) => ({ field, before: before?.[field] ?? null, after: after?.[field] ?? null }))
    .filter((change) => !(change.before === null && change.after === null));
}
