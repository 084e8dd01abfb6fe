import { createTRPCUntypedClient } from '@trpc/client';
import { callLink } from './call-link.ts';
import { type Connection, pinTenant } from './connection.ts';
import { requestLink } from './request-link.ts';

/** The most records of a page. */
const maxLimit = 100;

interface Page {
  data: unknown[];
  nextCursor: string | null;
}

/** Reads a list to its end by cursors. All requests go to the tenant that was active when the loop began. @param group such as `organizations` */
export async function* allRecords(
  connection: Connection,
  group: string,
  input: object = {},
  options: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<unknown, void, undefined> {
  const pinned = pinTenant(connection);
  const client = createTRPCUntypedClient({ links: [callLink(pinned), requestLink(pinned)] });
  let cursor: string | null = '*';
  while (cursor !== null) {
    const page = (await client.query(`${group}.list`, { limit: maxLimit, ...input, cursor }, options as { signal?: AbortSignal })) as Page;
    yield* page.data;
    cursor = page.nextCursor;
  }
}
