import { viewOf } from '../../test/oracle/audit.ts';
import type { AuditEntry } from '../../test/oracle/model.ts';
import { outsideScopeCode, seesOrganization } from '../../test/oracle/visibility.ts';
import { anyId, equals, filters } from './draws.ts';
import { type Case, type Driver, type DrawContext, refuse } from './driver.ts';

/** An id that is stored in an entry of a change, also if the caller does not see the entry. Entries of refused calls have ids as they were sent. */
const stored = ({ model, random }: DrawContext, value: (entry: AuditEntry) => string | null) =>
  random.pick([...model.auditEntries.values()].flatMap((entry) => (entry.outcome === 'COMMITTED' ? (value(entry) ?? []) : [])));

/** Refusals are recorded at most 10 times a minute, which the model does not predict. They are left out, and so are entries after those in the model. */
function draw(context: DrawContext) {
  const { model, random } = context;
  const entries = [...model.auditEntries.values()];
  const [newest, oldest] = [entries[0], entries.at(-1)];
  const all = {
    startDate: oldest?.occurredAt ?? '9999-01-01',
    endDate: newest?.occurredAt ?? '9999-01-01',
    outcome: 'COMMITTED',
    limit: 100,
  };
  if (random.chance(0.5)) return all;
  return {
    ...all,
    ...filters(context, {
      actorId: () => stored(context, ({ actorId }) => actorId) ?? anyId(context, model.users),
      tenantId: () => (random.chance(0.5) ? stored(context, ({ tenantId }) => tenantId) : undefined) ?? anyId(context, model.tenants),
      organizationId: () => anyId(context, model.organizations),
      recordId: () => stored(context, ({ recordId }) => recordId) ?? 'none',
      recordType: () => random.oneOf('organization', 'membership', 'tenant', 'organizationLink', 'attachment'),
    }),
  };
}

/** A filter by actor or tenant compares what the caller sees. */
function outcome({ model, who, input }: Case) {
  const { organizationId } = input;
  if (typeof organizationId === 'string' && who.organizationScope !== 'ALL' && !seesOrganization(model, who, organizationId))
    return refuse(outsideScopeCode(who));
  const seen = [...model.auditEntries.values()].flatMap((entry) => viewOf(model, who, entry) ?? []);
  const data = seen.filter(
    (entry) =>
      entry.outcome === 'COMMITTED' &&
      equals(entry.actor.id, input['actorId']) &&
      equals(entry.tenantId, input['tenantId']) &&
      equals(entry.organizationId, organizationId) &&
      equals(entry.record.id, input['recordId']) &&
      equals(entry.record.type, input['recordType']),
  );
  const isComplete = data.length <= 100;
  return {
    body: ({ nextCursor }: Record<string, unknown>) => ({
      data: data.slice(0, 100),
      nextCursor: isComplete ? null : typeof nextCursor === 'string' ? nextCursor : 'a cursor',
    }),
  };
}

export const auditEntries: Record<'list', Driver> = { list: { draw, outcome } };
