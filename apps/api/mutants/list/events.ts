import { dropCondition, remove, removeCall, replace, replaceSql, returns } from '../changes.ts';
import { mutant, type Mutant } from '../mutant.ts';

const visibility = 'apps/api/test/events/visibility.test.ts';
const streams = 'apps/api/test/events/stream.test.ts';
const epochs = 'packages/db/test/journal/event-epochs.test.ts';

/** What callers see of the event feed. */
export const events: readonly Mutant[] = [
  mutant('A RESTRICTED member reads the event feed', remove('may', "access.wholeTenant && caller.organizationScope.kind === 'restricted'")),
  mutant('A user reads the events of every tenant', replace('eventVisible', "eb('events.tenantId', '=', _)", 'eb.lit(true)')),
  mutant(
    'A user reads the events of organizations outside the scope',
    replace('eventVisible', 'found(link)', "eb('events.organizationId', 'is not', null)"),
  ),
  mutant(
    'A tenant reads the events of organizations that were unlinked from it',
    replace(
      'eventVisible',
      'found(link)',
      "sql<SqlBool>`exists (select from journal as link where link.record_id = concat(events.organization_id, ':', ${scope.tenantId}::uuid))`",
    ),
  ),
  mutant(
    'A shared organization shows the events of its links to other tenants',
    remove('eventVisible', "eb('events.recordType', '!=', 'organizationLink')"),
  ),
  mutant('A tenant reads the deletion of an organization that was not linked to it', dropCondition('eventVisible', 'former.tenantId')),
  mutant(
    'A tenant does not get the deletion of an organization that was linked to it',
    replaceSql('count_deleted_organization', 'from ended;', 'from ended limit 1;'),
  ),
  mutant('A user sees the actors of other tenants in events', returns('visibleActorId', "eb.ref('events.actorId')")),
  mutant('A deleted user is shown as the actor of an event', dropCondition('visibleActorId', 'user.deletedAt'), visibility),
  mutant('A member of any tenant is shown as the actor of an event', dropCondition('membershipOf', 'member.tenantId')),
  mutant('A user sees in which tenant an event happened', returns('visibleTenantId', "eb.ref('events.tenantId')")),
  mutant('An application reads all data of users', returns('visibleData', 'sql<string>`event_data(record_type, former, state)::text`')),
  mutant(
    'An application learns which hidden fields of a user changed',
    replace('toFeedEvent', "isApplication && recordType === 'user'", 'false'),
  ),
  mutant(
    'An application gets an event for each change of a user',
    replace('changesVisibleField', 'sql<SqlBool>`(former is null or state is null or former ?| ${userKeys})`', 'sql<SqlBool>`true`'),
    visibility,
  ),
  mutant('An application reads events of users who are no members', remove('eventVisible', 'found(membershipOf(_, _))')),
  mutant('An application reads events of files that are no documents', remove('eventVisible', 'isDocument')),
  mutant(
    'An application reads memberships of other tenants',
    replace('eventVisible', 'membership: ofTenant', "membership: eb('events.recordType', '=', 'membership')"),
  ),
  mutant(
    'An application reads links of other tenants',
    replace('eventVisible', 'organizationLink: ofTenant', "organizationLink: eb('events.recordType', '=', 'organizationLink')"),
  ),
  mutant(
    'A user reads events of records of types that they may not read',
    replace('visibleTypes', 'named.filter((type) => mayReadType(caller, recordTypeOf(type)))', 'named'),
  ),
  mutant('A user filters events by an organization outside the scope', removeCall('readFeed', 'assertInScope')),
  mutant('The filter of event types is ignored', replace('visibleTypes', 'filter ? eventTypesOf(filter) : eventTypes', 'eventTypes')),
  mutant('A stream goes on after its reader has lost access', replace('streamEvents', 'await reauthorize(_, _)', 'admitted'), streams),
  mutant('A stream has what another reader of the same place may see', returns('feedAudience', "''"), streams),
  mutant(
    'A reader is not told that the event of its cursor was removed',
    replace('journal/read-events/readEvents', '!first?.isKnown', '!first'),
    epochs,
  ),
];
