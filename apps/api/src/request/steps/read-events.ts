import { activeTenantId, type Caller } from '@profile-service/auth';
import { type EventPosition, type EventStart, scoped } from '@profile-service/db';
import type { RequestContext } from '../context.ts';
import type { RequestDependencies } from '../dependencies.ts';
import type { EventWaitResult, FeedPage, WaitForEvents } from '../feed.ts';
import type { AnyFeed } from '../handler.ts';
import { defineStep } from '../step.ts';
import type { Accepted } from './accept.ts';
import { handle } from './handle.ts';
import { withDatabaseSlot } from './with-database-slot.ts';

/** Reads a page of events in a database slot. @param start undefined for the first page: then the input says where it starts */
export const readEvents = (
  context: RequestContext,
  handler: AnyFeed,
  dependencies: RequestDependencies,
  { authorization, input }: Pick<Accepted, 'authorization' | 'input'>,
  start?: EventStart,
): Promise<FeedPage> =>
  withDatabaseSlot(context, dependencies, authorization, input, ({ caller }) => {
    const executor = dependencies.database.executorOf(context.request.abort);
    const handlerContext = { input, caller, scoped: scoped(executor, caller.organizationScope) } as never;
    const run = async () => handler.read(handlerContext, start ?? (await handler.start(handlerContext)));
    return handle(context, { run }, handlerContext) as Promise<FeedPage>;
  });

/** Waits for events of the caller's tenant. Throws if the client disconnects. */
export const waitForEvents = defineStep(
  'wait-for-events',
  async (
    context: RequestContext,
    events: WaitForEvents,
    caller: Caller,
    after: EventPosition,
    waitMs: number,
  ): Promise<EventWaitResult> => {
    const { abort } = context.request;
    const startedAt = performance.now();
    const result = await events.wait({ tenantId: activeTenantId(caller), after, waitMs, abort });
    context.waitedMs += performance.now() - startedAt;
    abort.throwIfAborted();
    return result;
  },
);
