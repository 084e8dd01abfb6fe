import type { RecordType } from '@profile-service/contracts';
import { type Expression, expressionBuilder, sql, type SqlBool } from 'kysely';
import type { DB } from '../schema.gen.ts';
import type { ScopeParameters } from '../scope/scope.ts';

/** Who reads events. Users also get the events that their tenant has caused. A webhook gets what an application gets, and events about webhooks. */
export type EventAudience = 'user' | 'application' | 'webhook';

const eb = expressionBuilder<DB, 'events'>();

/** The fields of a user that an application may see (EVENTS-12). */
export const userFieldsOfApplications = ['id', 'name', 'email', 'type', 'jobTitle'] as const;

/** Keys of the same fields in the journal. Entries from before migration 0022 have the names of the contract. */
const userKeys = sql`'{id,name,email,type,job_title,jobTitle}'::text[]`;

/** Whether the caller may see the event. The scope `restricted` sees none: the feed is that of a whole tenant. */
export function eventVisible(scope: ScopeParameters, audience: EventAudience): Expression<SqlBool> {
  if (scope.kind === 'all') return eb.lit(true);
  if (scope.kind !== 'tenant') return eb.lit(false);
  const ofTenant = eb('events.tenantId', '=', scope.tenantId);
  // A deleted organization has no links. The id of a link names its tenant.
  const link = eb
    .selectFrom('organizationTenants as link')
    .select(sql<boolean>`true`.as('linked'))
    .where('link.tenantId', '=', scope.tenantId)
    .whereRef('link.organizationId', '=', 'events.organizationId');
  const ofOrganization = eb.and([eb('events.recordType', '!=', 'organizationLink'), found(link)]);
  const isDeletion = eb.and([eb('events.recordType', '=', 'organization'), eb('events.state', 'is', null)]);
  const linkedWhenDeleted = eb
    .selectFrom('deletedOrganizationLinks as former')
    .select(sql<boolean>`true`.as('linked'))
    .whereRef('former.organizationId', '=', 'events.organizationId')
    .where('former.tenantId', '=', scope.tenantId);
  const ofDeletion = eb.and([isDeletion, found(linkedWhenDeleted)]);
  if (audience === 'user') return eb.or([ofTenant, ofOrganization, ofDeletion]);
  const visible: Partial<Record<RecordType, Expression<SqlBool>>> = {
    organization: eb.or([ofOrganization, ofDeletion]),
    organizationAddress: ofOrganization,
    organizationContact: ofOrganization,
    attachment: eb.and([ofOrganization, isDocument]),
    organizationLink: ofTenant,
    membership: ofTenant,
    ...(audience === 'webhook' ? { webhook: ofTenant } : {}),
    user: eb.and([found(membershipOf(scope, sql`record_id::uuid`)), changesVisibleField]),
  };
  const cases = Object.entries(visible).map(([type, isVisible]) => sql`when ${sql.lit(type)} then ${isVisible}`);
  return sql<SqlBool>`case record_type ${sql.join(cases, sql` `)} else false end`;
}

const isDocument = sql<SqlBool>`coalesce(state ->> 'entity_type', state ->> 'entityType', former ->> 'entity_type', former ->> 'entityType') = 'DOCUMENT'`;
/** Whether a user is created or deleted, or a field changed that an application may see. */
const changesVisibleField = sql<SqlBool>`(former is null or state is null or former ?| ${userKeys})`;

/** The id of the actor, if the actor is a member of the tenant or its application. */
export function visibleActorId(scope: ScopeParameters): Expression<string | null> {
  if (scope.kind === 'all') return eb.ref('events.actorId');
  if (scope.kind !== 'tenant') return eb.lit(null);
  const live = membershipOf(scope, sql`actor_id`)
    .innerJoin('users as user', 'user.id', 'member.userId')
    .where('user.deletedAt', 'is', null);
  return sql`case
    when actor_kind = 'USER' and ${eb.exists(live)} then actor_id
    when actor_kind = 'APPLICATION' and actor_id = ${scope.tenantId} then actor_id
  end`;
}

/** The id of the tenant, if it is that of the caller. Events of an organization that several tenants share do not name the others. */
export function visibleTenantId(scope: ScopeParameters): Expression<string | null> {
  if (scope.kind === 'all') return eb.ref('events.tenantId');
  return scope.kind === 'tenant' ? sql`case when tenant_id = ${scope.tenantId} then tenant_id end` : eb.lit(null);
}

/** The data of the event as JSON text: of a user, an application gets only some fields. */
export function visibleData(scope: ScopeParameters, audience: EventAudience): Expression<string> {
  const data = sql`event_data(record_type, former, state)`;
  if (scope.kind === 'all' || audience === 'user') return sql<string>`${data}::text`;
  const fields = userFieldsOfApplications.map((field) => sql`${sql.lit(field)}, ${data} -> ${sql.lit(field)}`);
  return sql<string>`case record_type when 'user' then jsonb_build_object(${sql.join(fields)}) else ${data} end::text`;
}

/**
 * Whether a query by a unique key finds a row. For `exists`, PostgreSQL would read all links of the tenant first, of which there may be 100,000; it runs a
 * scalar subquery for one row at a time.
 */
const found = (query: Expression<unknown>) => sql<SqlBool>`(${query}) is not null`;

const membershipOf = ({ tenantId }: Extract<ScopeParameters, { kind: 'tenant' }>, userId: Expression<unknown>) =>
  eb
    .selectFrom('memberships as member')
    .select('member.userId')
    .where('member.tenantId', '=', tenantId)
    .where('member.userId', '=', userId as Expression<string>);
