import { createTRPCUntypedClient } from '@trpc/client';
import type { Connection, TenantId } from './connection.ts';
import { connectionFailed } from './error-from.ts';
import type { EventList } from './generated/models.ts';
import type { EventsListInput } from './generated/procedures.ts';
import { contextOf, requestLink } from './request-link.ts';

/** A procedure that lists events. */
export type EventsProcedure = 'events.list' | 'service.events.list';

interface Poll {
  connection: Connection;
  tenantId: TenantId;
  procedure: EventsProcedure;
  signal: AbortSignal | undefined;
}

/**
 * Time limit for the head of a response, in milliseconds: twice as long as it may wait for an event. `fetch` notices minutes later, or never, that the other
 * end of a connection is gone.
 */
const headTimeoutMs = 60_000;

/** Requests the next events once, in a request of their own. @throws what the link throws; CONNECTION_FAILED if no response arrives in time */
export async function pollEvents({ connection, tenantId, procedure, signal }: Poll, input: EventsListInput): Promise<EventList> {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  let timeout: Error | undefined;
  const end = () => controller.abort((timeout = new Error(`No response within ${headTimeoutMs / 1000} seconds`)));
  const fetch: Connection['fetch'] = async (url, init) => {
    const timer = setTimeout(end, headTimeoutMs);
    try {
      return await connection.fetch(url, init);
    } finally {
      clearTimeout(timer);
    }
  };
  const client = createTRPCUntypedClient({ links: [requestLink({ ...connection, fetch })] });
  signal?.addEventListener('abort', abort);
  try {
    return (await client.query(procedure, input, { signal: controller.signal, context: contextOf(tenantId, true) })) as EventList;
  } catch (thrown) {
    throw timeout ? connectionFailed(timeout, undefined) : thrown;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
