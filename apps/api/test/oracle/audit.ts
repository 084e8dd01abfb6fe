import { recordOf, type RecordType } from '@profile-service/contracts';
import type { ResolvedCaller } from './caller.ts';
import { permits } from './guard.ts';
import { type AuditEntry, type AuditedValues, type Model, pair } from './model.ts';
import { readersOf, ruleOf } from './rules.ts';
import { seesOrganization } from './visibility.ts';

/** Selects all rows since the time $1, newest first. */
export const selectEntries = `
  select id, iso_timestamp(occurred_at) as "occurredAt", outcome, code, actor_kind as "actorKind", actor_id as "actorId",
         request_id as "requestId", operation, tenant_id as "tenantId", organization_id as "organizationId",
         record_type as "recordType", record_id as "recordId", before, after,
         (select coalesce(jsonb_agg(changed - 'organizationId' order by place), '[]') from jsonb_array_elements(related) with ordinality as r(changed, place))
           as related,
         cascade,
         exists (select from attachments where attachments.id::text = record_id and entity_type = 'DOCUMENT') as "isDocument"
  from audit_entries where occurred_at >= $1 order by occurred_at desc, audit_entries.id desc`;

/** What of an entry the caller sees; null for an entry that they do not see. */
export function viewOf(model: Model, who: ResolvedCaller, entry: AuditEntry) {
  if (!seesEntry(model, who, entry)) return null;
  const { id, occurredAt, outcome, code, requestId, operation, organizationId, recordType, recordId } = entry;
  const seesAll = who.organizationScope === 'ALL';
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
    record: { type: recordType, id: seesAll || !isOtherLink(who, entry) ? recordId : null },
    changes: seesAll || !namesOtherOrganization(model, who, entry) ? shown(recordType, recordId, entry) : null,
    related: entry.related
      .filter((other) => seesAll || seesRelated(model, who, entry, other))
      .map((other) => ({ type: other.type, id: other.id, changes: shown(other.type, other.id, other) })),
    cascade: seesAll || seesCascade(who, entry) ? entry.cascade : {},
  };
}

/** Records of one tenant. Their ids end with its id. */
const tenantTypes = new Set<string | null>(['membership', 'organizationScope', 'organizationLink', 'tenant']);
/** Records that all tenants share. Counts of their entries include rows of all tenants. */
const isShared = (type: string | null): boolean => type === null || !(tenantTypes.has(type) || recordOf(type as RecordType).isScoped);

/** The counts of a deletion, unless they include rows of other tenants. What an export of the tenant selected, for who sees the whole tenant. */
const seesCascade = (who: ResolvedCaller, entry: AuditEntry): boolean =>
  entry.operation.endsWith('.export')
    ? entry.tenantId === who.tenant?.id && who.organizationScope === 'TENANT'
    : !(isShared(entry.recordType) || isOtherLink(who, entry));

/** The link of another tenant. Its id ends with the tenant, and its counts are those of the tenant. */
const isOtherLink = ({ tenant }: ResolvedCaller, { recordType, recordId, outcome }: AuditEntry): boolean =>
  recordType === 'organizationLink' && outcome === 'COMMITTED' && recordId?.slice(-36) !== tenant?.id;

/** An attachment was moved from an organization that the caller does not see. */
function namesOtherOrganization(model: Model, who: ResolvedCaller, { recordType, tenantId, before }: AuditEntry): boolean {
  const earlier = before?.['entityId'];
  return (
    recordType === 'attachment' && tenantId !== who.tenant?.id && typeof earlier === 'string' && !seesOrganization(model, who, earlier)
  );
}

/** Rows of the tenant, of the entry's organization and of organizations in scope. Of shared records, those that the caller may read. */
function seesRelated(model: Model, who: ResolvedCaller, entry: AuditEntry, row: AuditEntry['related'][number]): boolean {
  if (tenantTypes.has(row.type)) return row.id.slice(-36) === who.tenant?.id;
  if (isShared(row.type)) return seesValues(model, who, entry, row.type, row.id);
  if (entry.organizationId !== null) return true;
  const organizationId = organizationOf(model, row.id);
  return organizationId !== undefined && seesOrganization(model, who, organizationId);
}

/** The organization of an address. That of a removed address is in the entry of its removal. */
const organizationOf = (model: Model, addressId: string): string | undefined =>
  model.organizationAddresses.get(addressId)?.organizationId ??
  [...model.auditEntries.values()].find(({ recordId, organizationId }) => recordId === addressId && organizationId !== null)
    ?.organizationId ??
  undefined;

const seesEntry = (model: Model, who: ResolvedCaller, { tenantId, organizationId }: AuditEntry): boolean =>
  who.organizationScope === 'ALL' ||
  (who.tenant !== null && tenantId === who.tenant.id) ||
  (organizationId !== null && seesOrganization(model, who, organizationId));

export function seesActor(
  model: Model,
  { organizationScope, tenant }: ResolvedCaller,
  { actorKind, actorId }: Pick<AuditEntry, 'actorKind' | 'actorId'>,
): boolean {
  if (organizationScope === 'ALL') return true;
  if (!tenant || actorId === null) return false;
  return actorKind === 'APPLICATION' ? actorId === tenant.id : model.users.has(actorId) && model.memberships.has(pair(actorId, tenant.id));
}

/** The endpoints that show the records of a type, if these are not those of its resource. */
const readers: Record<string, string[]> = {
  membership: ['/api/users/{userId}/tenants', '/api/tenants/{tenantId}/users'],
  organizationScope: ['/api/users/{userId}/tenants/{tenantId}/organizations'],
  organizationLink: ['/api/tenants/{tenantId}/organizations'],
};
/** The resource of a record type in paths: `document-types`. */
export const resourcePath = (type: string) =>
  recordOf(type as RecordType).groups[0]?.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function seesValues(model: Model, who: ResolvedCaller, entry: AuditEntry, type: string | null, id: string | null): boolean {
  if (type === null) return true;
  if (!who.user) {
    // An application: the organizations and documents that `/service` lists.
    const { organizationId, isDocument, recordId } = entry;
    if (organizationId === null || !seesOrganization(model, who, organizationId)) return false;
    return (type === 'organization' && id === organizationId) || (type === 'attachment' && isDocument && id === recordId);
  }
  return mayRead(who, type, id);
}

/** Whether an endpoint of `/api` shows the user records of this type; the record with this id, if a persona gives access to those of the active tenant only. */
export function mayRead(who: ResolvedCaller, type: string, id: string | null): boolean {
  const decisions = (readers[type] ?? readersOf(`/api/${resourcePath(type)}`)).map((path) => {
    const rule = ruleOf('GET', path);
    return rule.kind === 'user' ? permits(who, rule) : 'no';
  });
  if (decisions.includes('yes')) return true;
  const tenantId = type === 'tenant' ? id : id?.slice(-36);
  return decisions.includes('own tenant') && tenantId === who.tenant?.id;
}

function changesOf({ before, after }: AuditedValues) {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].toSorted();
  return fields
    .map((field) => ({ field, before: before?.[field] ?? null, after: after?.[field] ?? null }))
    .filter((change) => !(change.before === null && change.after === null));
}
