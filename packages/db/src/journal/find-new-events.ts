import { sql } from 'kysely';
import type { Executor } from '../connection/executor.ts';
import { Statement } from '../queries/statement.ts';
import { queries } from '../sql/compile.ts';
import type { Placeholders } from '../sql/placeholders.ts';
import { belowHorizon, byPosition, type EventPosition, inOrder, positionOf } from './event-position.ts';

/** The position and the type of an event, and who may see it. */
export interface NewEvent extends EventPosition {
  type: string;
  /** The tenants that may see the event. Null if there are more than 1,000. */
  tenantIds: string[] | null;
}

interface Input extends EventPosition {
  limit: number;
}

/** A user concerns the tenants of which it is a member. */
const newEvents = new Statement<'scoped', Input, NewEvent>(
  (p: Placeholders<Input>) => ({
    compile: () =>
      sql<NewEvent>`
        select ${inOrder}, type, case when cardinality(ids) <= 1000 then ids end as tenant_ids from (
          select ${inOrder}, type, array(
            (select tenant_id where tenant_id is not null)
            union (select tenant_id from organization_tenants where organization_id = events.organization_id limit 1001)
            union (select tenant_id from deleted_organization_links where organization_id = events.organization_id limit 1001)
            union (select tenant_id from memberships where record_type = 'user' and user_id = case record_type when 'user' then record_id::uuid end limit 1001)
          ) as ids
          from events where (${inOrder}) > ${positionOf(p)} and ${belowHorizon} order by ${inOrder} limit ${p.limit}
        ) as found
      `.compile(queries),
  }),
  byPosition,
);

/** Returns which tenants may see the next events, in the order of the events. */
export const findNewEvents = (executor: Executor, after: EventPosition, limit: number): Promise<NewEvent[]> =>
  newEvents.run(executor, { ...after, limit }, { kind: 'none' });
