import { createTRPCClient, getUntypedClient, type TRPCClient, type TRPCRequestOptions } from '@trpc/client';
import { allRecords } from './all-records.ts';
import { callLink } from './call-link.ts';
import { type Connection, type ProfileClientOptions, toConnection } from './connection.ts';
import { ProfileError } from './error.ts';
import { exportCall, type ExportCalls } from './exports.ts';
import { type FileTransfers, fileTransfers } from './file-transfers.ts';
import { type EventFollower, eventFollower } from './follow.ts';
import { mutations } from './generated/mutations.ts';
import { importRunner } from './import-runner.ts';
import type { ImportRunner } from './imports.ts';
import type { Exports, Procedures } from './generated/procedures.ts';
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

/** The calls of lists with pages. */
type ListCalls<Tree> = {
  [Key in keyof Tree]: Tree[Key] extends { list: Query<infer Input, infer Output, infer Code> }
    ? ListCallsOf<Exclude<Input, void>, Output, Code>
    : Tree[Key] extends { type: string }
      ? unknown
      : ListCalls<Tree[Key]>;
};

type ListCallsOf<Input, Output, Code extends string> = 'totalPages' extends keyof Output
  ? {
      list: {
        /** Without a cursor, the page has the totals. */
        query(input?: Input & { cursor?: undefined }, options?: CallOptions): Promise<Output & Totals>;
        safe(input?: Input & { cursor?: undefined }, options?: CallOptions): Promise<Result<Output & Totals, Code>>;
      };
      /**
       * Returns all records of the list, and requests them page by page: `for await (const organization of profile.organizations.all({ sort: ['name'] }))`. A record
       * that does not change meanwhile comes exactly once. All requests go to the tenant that was active when the loop began. Throws a ProfileError in the loop, as `list`.
       */
      all(input?: Omit<Input, 'page' | 'cursor'>, options?: CallOptions): AsyncIterable<ItemOf<Output>>;
    }
  : unknown;

type Totals = { total: number; totalPages: number; currentPage: number };
type ItemOf<Output> = Output extends { data: (infer Item)[] } ? Item : never;

/** What the client adds to groups of procedures. */
interface Extensions {
  attachments: FileTransfers;
  events: EventFollower;
  imports: ImportRunner;
  service: { events: EventFollower };
}

/** A client of the service. It is a tRPC client too, so that `@trpc/tanstack-react-query` accepts it. */
export type ProfileClient = ListCalls<Procedures> & ExportCalls<Exports> & TRPCClient<ProfileRouter> & SafeCalls<Procedures> & Extensions;

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
    ['imports', importRunner(connection)],
    ['service.events', eventFollower(connection, 'service.events.list')],
  ]);
  return createNode({ client, connection, groups }) as ProfileClient;
}

interface Root {
  client: TRPCClient<ProfileRouter>;
  connection: Connection;
  /** The members of groups, by path. Every other path may be a procedure or a group of procedures. */
  groups: ReadonlyMap<string, object>;
}

/** Creates the object for a path of keys, such as `profile.users`: its members are created on access, as tRPC does. */
function createNode(root: Root, path: readonly string[] = []): object {
  const { client, connection, groups } = root;
  const procedures = getUntypedClient(client);
  const name = path.join('.');
  const query = (input?: unknown, options?: CallOptions) => procedures.query(name, input, options as TRPCRequestOptions);
  const mutate = (input?: unknown, options?: CallOptions) => procedures.mutation(name, input, options as TRPCRequestOptions);
  const safe = (input?: unknown, options?: CallOptions) => toResult((name in mutations ? mutate : query)(input, options));
  const all = (input?: object, options?: CallOptions) => allRecords(connection, name, input, options);
  const calls: object = { query, mutate, safe, subscribe };
  return new Proxy(client, {
    get(_client, key) {
      // tRPC finds the untyped client by a symbol. A promise resolves with an object that has no `then`.
      if (typeof key === 'symbol') return Reflect.get(client, key) as unknown;
      if (key === 'then') return undefined;
      const members = { all, ...(groups.get(name) ?? calls) };
      if (Object.hasOwn(members, key)) return Reflect.get(members, key) as unknown;
      return exportCall(connection, `${name}.${key}`) ?? createNode(root, [...path, key]);
    },
  });
}

/** The type of tRPC's client has it. Without this member, the call would return undefined. */
function subscribe(): never {
  const message = 'This client has no subscriptions: use events.follow, or createTRPCClient with httpSubscriptionLink';
  throw new ProfileError({ code: 'CLIENT_ERROR', message });
}
