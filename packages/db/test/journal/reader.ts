import { type EventPosition, type EventRow, type Executor, firstPosition, readEvents, scoped } from '../../src/index.ts';

/** Reads the next events of all tenants. @param after undefined for the oldest event */
export const readAllEvents = (executor: Executor, after?: EventPosition, limit = 100) =>
  readEvents(scoped(executor, { kind: 'all' }), 'user', { after: after ?? firstPosition, isCursor: after !== undefined, limit });

export const dataOf = ({ data }: EventRow) => JSON.parse(data) as Record<string, unknown>;
