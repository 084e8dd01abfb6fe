import { mayRead, seesActor } from './audit.ts';
import type { ResolvedCaller } from './caller.ts';
import { type Model, pair, type StoredEvent, type Webhook } from './model.ts';
import { tokenOf } from './token.ts';
import { seesOrganization } from './visibility.ts';

/** Selects all rows since the time $1, in the order of the feed. */
export const selectEvents = `
  select id, type, iso_timestamp(occurred_at) as "occurredAt", actor_kind as "actorKind", actor_id as "actorId", request_id as "requestId",
         tenant_id as "tenantId", organization_id as "organizationId", record_type as "recordType", record_id as "recordId", changed, data
  from events where occurred_at >= $1 order by epoch, transaction_id, sequence`;

/** What applications get of a user (EVENTS-12). */
const userFields = ['id', 'name', 'email', 'type', 'jobTitle'];

/** What of an event the caller sees; null for an event that they do not see. */
export function shownEvent(model: Model, who: ResolvedCaller, event: StoredEvent, isSeen = seesEvent(model, who, event)) {
  if (!isSeen) return null;
  const { id, type, occurredAt, actorKind, requestId, organizationId, recordType, recordId } = event;
  const showsTenant = who.organizationScope === 'ALL' || event.tenantId === who.tenant?.id;
  const isReduced = isApplication(who) && who.organizationScope !== 'ALL' && recordType === 'user';
  return {
    id,
    type,
    occurredAt,
    actor: { kind: actorKind, id: seesActor(model, who, event) ? event.actorId : null },
    requestId,
    tenantId: showsTenant ? event.tenantId : null,
    organizationId,
    record: { type: recordType, id: recordId },
    changed: isReduced ? event.changed.filter((field) => userFields.includes(field)) : event.changed,
    data: isReduced ? Object.fromEntries(userFields.map((field) => [field, event.data[field]])) : event.data,
  };
}

export type ShownEvent = NonNullable<ReturnType<typeof shownEvent>>;

/** Whether a list of event types and `<record type>.*` names the type of the event. */
export const namesType = (types: readonly string[], { type }: StoredEvent): boolean =>
  types.some((filter) => ['*', type, type.replace(/\w+$/, '*')].includes(filter));

/** The body of the request with which a webhook gets the event; null if it does not get it (SENDING-1, SENDING-2, SENDING-12, SENDING-14). */
export function sentEvent(model: Model, { id, tenantId, types, active, disabledAt }: Webhook, event: StoredEvent) {
  const tenant = tenantId === null ? null : (model.tenants.get(tenantId) ?? null);
  if (!active || disabledAt !== null || tenant?.active === false || event.recordId === id || !namesType(types, event)) return null;
  const who: ResolvedCaller = {
    token: tokenOf(''),
    user: null,
    isGlobal: false,
    tenant,
    persona: null,
    organizationScope: tenant ? 'TENANT' : 'ALL',
    membership: null,
    refusal: null,
  };
  const isAboutWebhook = event.recordType === 'webhook' && event.tenantId === tenantId;
  const shown = shownEvent(model, who, event, isAboutWebhook || seesEvent(model, who, event));
  return shown && { ...shown, timestamp: event.occurredAt };
}

const isApplication = (who: ResolvedCaller): boolean => who.user === null;

function seesEvent(model: Model, who: ResolvedCaller, event: StoredEvent): boolean {
  if (who.organizationScope === 'ALL') return true;
  if (who.organizationScope !== 'TENANT' || !who.tenant) return false;
  return isApplication(who) ? applicationSees(model, who, event) : userSees(model, who, event);
}

/** EVENTS-9 and EVENTS-10. */
function userSees(model: Model, who: ResolvedCaller, event: StoredEvent): boolean {
  const { tenantId, recordType, recordId } = event;
  const isOfTenant = tenantId === who.tenant?.id;
  const isInReach = isOfTenant || isOfOrganization(model, who, event) || isDeletionOfLinked(model, who, event);
  return isInReach && (recordType !== 'organizationLink' || isOfTenant) && mayRead(who, recordType, recordId);
}

/** EVENTS-11 and EVENTS-12. */
function applicationSees(model: Model, who: ResolvedCaller, event: StoredEvent): boolean {
  const { type, tenantId, recordType, recordId, changed, data } = event;
  switch (recordType) {
    case 'organization':
      return isOfOrganization(model, who, event) || isDeletionOfLinked(model, who, event);
    case 'organizationAddress':
    case 'organizationContact':
      return isOfOrganization(model, who, event);
    case 'attachment':
      return data['entityType'] === 'DOCUMENT' && isOfOrganization(model, who, event);
    case 'organizationLink':
    case 'membership':
      return tenantId === who.tenant?.id;
    case 'user':
      return (
        model.memberships.has(pair(recordId, who.tenant?.id ?? '')) &&
        (type !== 'user.updated' || changed.some((field) => userFields.includes(field)))
      );
    default:
      return false;
  }
}

const isOfOrganization = (model: Model, who: ResolvedCaller, { organizationId }: StoredEvent): boolean =>
  organizationId !== null && seesOrganization(model, who, organizationId);

const isDeletionOfLinked = (model: Model, { tenant }: ResolvedCaller, { type, recordId }: StoredEvent): boolean =>
  type === 'organization.deleted' && tenant !== null && model.linksAtDeletion.has(pair(recordId, tenant.id));
