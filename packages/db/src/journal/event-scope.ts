import { type Expression, expressionBuilder, sql, type SqlBool } from 'kysely';
import type { DB } from '../schema.gen.ts';
import { ofOrganizationInScope, type ScopeParameters } from '../scope/scope.ts';

/** Who reads events. Users also get the events that their tenant has caused. A webhook gets what an application gets, and events about webhooks. */
export type EventAudience = 'user' | 'application' | 'webhook';

const eb = expressionBuilder<DB, 'events'>();

/** The fields of a user that an application may see (EVENTS-10). */
export const userFieldsOfApplications = ['id', 'name', 'email', 'type', 'jobTitle'] as const;

/** Keys of the same fields in the journal. Entries from before migration 0022 have the names of the contract. */
const userKeys = sql`'{id,name,email,type,job_title,jobTitle}'::text[]`;

/** Whether the caller may see the event. The scope `restricted` sees none: the feed is that of a whole tenant. */
export function eventVisible(scope: ScopeParameters, audience: EventAudience): Expression<SqlBool> {
  if (scope.kind === 'all') return eb.lit(true);
  if (scope.kind !== 'tenant') return eb.lit(false);
  const ofTenant = eb('events.tenantId', '=', scope.tenantId);
  const ofOrganization = eb.and([
    ofOrganizationInScope(scope, 'events.organizationId'),
    // The id of a link names its tenant.
    eb('events.recordType', '!=', 'organizationLink'),
  ]);
  const isDeletion = eb.and([eb('events.recordType', '=', 'organization'), eb('events.state', 'is', null)]);
  const linkedWhenDeleted = eb
    .selectFrom('deletedOrganizationLinks as former')
    .select('former.tenantId')
    .whereRef('former.organizationId', '=', 'events.organizationId')
    .where('former.tenantId', '=', scope.tenantId);
  const ofDeletion = eb.and([isDeletion, eb.exists(linkedWhenDeleted)]);
  if (audience === 'user') return eb.or([ofTenant, ofOrganization, ofDeletion]);
  return sql<SqlBool>`case record_type
    when 'organizationLink' then ${ofTenant}
    when 'membership' then ${ofTenant}
    when 'webhook' then ${audience === 'webhook' ? ofTenant : eb.lit(false)}
    when 'user' then ${eb.exists(membershipOf(scope, sql`record_id::uuid`))} and (former is null or state is null or former ?| ${userKeys})
    when 'attachment' then ${ofOrganization}
      and coalesce(state ->> 'entity_type', state ->> 'entityType', former ->> 'entity_type', former ->> 'entityType') = 'DOCUMENT'
    when 'organization' then ${eb.or([ofOrganization, ofDeletion])}
    when 'organizationAddress' then ${ofOrganization}
    when 'organizationContact' then ${ofOrganization}
    else false end`;
}

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
  if (scope.kind === 'all' || audience === 'user') return sql<string>`data::text`;
  const fields = userFieldsOfApplications.map((field) => sql`${sql.lit(field)}, data -> ${sql.lit(field)}`);
  return sql<string>`case record_type when 'user' then jsonb_build_object(${sql.join(fields)}) else data end::text`;
}

const membershipOf = ({ tenantId }: Extract<ScopeParameters, { kind: 'tenant' }>, userId: Expression<unknown>) =>
  eb
    .selectFrom('memberships as member')
    .select('member.userId')
    .where('member.tenantId', '=', tenantId)
    .where('member.userId', '=', userId as Expression<string>);
