import { viewOf } from '../../test/oracle/audit.ts';
import type { AuditEntry } from '../../test/oracle/model.ts';
import { outsideScopeCode, seesOrganization } from '../../test/oracle/visibility.ts';
import { anyId, equals, filters } from './draws.ts';
import { answer, type Case, type Driver, type DrawContext, type Outcome, refuse } from './driver.ts';
import { without } from './resource.ts';

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

/** The entries that the caller sees, or the refusal. A filter by actor or tenant compares what the caller sees. */
function listed({ model, who, input }: Case) {
  const { organizationId } = input;
  if (typeof organizationId === 'string' && who.organizationScope !== 'ALL' && !seesOrganization(model, who, organizationId))
    return refuse(outsideScopeCode(who));
  const seen = [...model.auditEntries.values()].flatMap((entry) => viewOf(model, who, entry) ?? []);
  return seen.filter(
    (entry) =>
      entry.outcome === 'COMMITTED' &&
      equals(entry.actor.id, input['actorId']) &&
      equals(entry.tenantId, input['tenantId']) &&
      equals(entry.organizationId, organizationId) &&
      equals(entry.record.id, input['recordId']) &&
      equals(entry.record.type, input['recordType']),
  );
}

function outcome(it: Case): Outcome {
  const data = listed(it);
  if (!Array.isArray(data)) return data;
  return {
    body: ({ nextCursor }: Record<string, unknown>) => ({
      data: data.slice(0, 100),
      nextCursor: data.length <= 100 ? null : typeof nextCursor === 'string' ? nextCursor : 'a cursor',
    }),
  };
}

function exported(it: Case): Outcome {
  const data = listed(it);
  return Array.isArray(data) ? answer({ data, nextCursor: null }) : data;
}

export const auditEntries: Record<'list' | 'export', Driver> = {
  list: { draw, outcome },
  export: { draw: (context) => without(draw(context), ['limit']), outcome: exported },
};
