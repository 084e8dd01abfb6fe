import { createTRPCClient, getUntypedClient, type TRPCClient, type TRPCRequestOptions } from '@trpc/client';
import { callLink } from './call-link.ts';
import { type ProfileClientOptions, toConnection } from './connection.ts';
import { ProfileError } from './error.ts';
import { type FileTransfers, fileTransfers } from './file-transfers.ts';
import { type EventFollower, eventFollower } from './follow.ts';
import { mutations } from './generated/mutations.ts';
import type { Procedures } from './generated/procedures.ts';
import type { Mutation, Query } from './procedure.ts';
import { requestLink } from './request-link.ts';
import { type Result, toResult } from './result.ts';
import type { ProfileRouter } from './router.ts';

export interface CallOptions {
  /** Aborts the call, also while it waits for its next attempt. */
  signal?: AbortSignal | undefined;
}

type SafeCalls<Tree> = {
  [Key in keyof Tree]: Tree[Key] extends Query<infer Input, infer Output, infer Code> | Mutation<infer Input, infer Output, infer Code>
    ? {
        /** Calls the procedure. Resolves with `{ ok: true, data }` or `{ ok: false, error }`, and never rejects. */
        safe(input: Input, options?: CallOptions): Promise<Result<Output, Code>>;
      }
    : SafeCalls<Tree[Key]>;
};

/** What the client adds to groups of procedures. */
interface Extensions {
  attachments: FileTransfers;
  events: EventFollower;
  service: { events: EventFollower };
}

/** A client of the service. It is a tRPC client too, so that `@trpc/tanstack-react-query` accepts it. */
export type ProfileClient = TRPCClient<ProfileRouter> & SafeCalls<Procedures> & Extensions;

/**
 * Creates a typed client of the service: `profile.users.list.query()`, `profile.users.create.mutate({ … })`, `profile.attachments.upload(file)`.
 * A failed call throws a ProfileError. Beside each call, `safe` returns the result or the error: `profile.users.create.safe({ … })`.
 *
 * Pass the record that you read to change it only if nobody else has: `profile.apps.update.mutate({ ...app, name: 'New' })` sends its `etag` as `ifMatch`.
 * Records of `get`, `create` and `update` have an `etag`. The items of a list have none: an update with such an item is unconditional.
 * Queries and creations that fail temporarily are repeated, creations with an idempotency key.
 */
export function createProfileClient(options: ProfileClientOptions): ProfileClient {
  const connection = toConnection(options);
  const client = createTRPCClient<ProfileRouter>({ links: [callLink(connection), requestLink(connection)] });
  const groups = new Map<string, object>([
    ['', {}],
    ['attachments', fileTransfers(connection)],
    ['events', eventFollower(connection, 'events.list')],
    ['service.events', eventFollower(connection, 'service.events.list')],
  ]);
  return createNode(client, groups) as ProfileClient;
}

/**
 * Creates the object for a path of keys, such as `profile.users`: its members are created on access, as tRPC does.
 * @param groups the members of groups, by path; every other path may be a procedure
 */
function createNode(client: TRPCClient<ProfileRouter>, groups: ReadonlyMap<string, object>, path: readonly string[] = []): object {
  const procedures = getUntypedClient(client);
  const name = path.join('.');
  const query = (input?: unknown, options?: CallOptions) => procedures.query(name, input, options as TRPCRequestOptions);
  const mutate = (input?: unknown, options?: CallOptions) => procedures.mutation(name, input, options as TRPCRequestOptions);
  const safe = (input?: unknown, options?: CallOptions) => toResult((name in mutations ? mutate : query)(input, options));
  const calls: object = { query, mutate, safe, subscribe };
  return new Proxy(client, {
    get(_client, key) {
      // tRPC finds the untyped client by a symbol. A promise resolves with an object that has no `then`.
      if (typeof key === 'symbol') return Reflect.get(client, key) as unknown;
      if (key === 'then') return undefined;
      const members = groups.get(name) ?? calls;
      return Object.hasOwn(members, key) ? (Reflect.get(members, key) as unknown) : createNode(client, groups, [...path, key]);
    },
  });
}

/** The type of tRPC's client has it. Without this member, the call would return undefined. */
function subscribe(): never {
  const message = 'This client has no subscriptions: use events.follow, or createTRPCClient with httpSubscriptionLink';
  throw new ProfileError({ code: 'CLIENT_ERROR', message });
}
