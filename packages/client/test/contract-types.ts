import type { Access, Contract, Endpoint, Method, RecordType } from '@profile-service/contracts';
import type { AttachmentCreate, ImportCreate } from '../src/generated/models.ts';
import type { Procedures, Subscriptions } from '../src/generated/procedures.ts';
import type { Conditional, Idempotent, Mutation, Query, Subscription, Versioned } from '../src/procedure.ts';

/* Derives the types of the procedures from the contracts, to compare them with the generated ones. */

/** If every field is optional, the input is optional too. */
type Optional<Sent> = Record<never, never> extends Sent ? Sent | void : Sent;

/** Without fields, zod's type allows any object; the generated type allows none. */
type SentTo<M extends Method, V, Sent> = keyof Sent extends never
  ? void
  : Optional<M extends 'POST' ? Sent & Idempotent : V extends RecordType ? (M extends 'PUT' | 'DELETE' ? Sent & Conditional : Sent) : Sent>;
/** tRPC turns `void` into `never`, although the call resolves. */
type ReceivedFrom<V, Output> = Output extends object ? (V extends RecordType ? Output & Versioned : Output) : undefined;

type ExpectedOf<E extends Endpoint> =
  E extends Endpoint<infer M, Access, infer Sent, unknown, unknown, infer Output, infer F, infer V>
    ? {
        type: F extends 'stream' ? 'subscription' : M extends 'GET' ? 'query' : 'mutation';
        input: SentTo<M, V, Sent>;
        output: ReceivedFrom<V, Output>;
      }
    : never;

type FileEndpoint = Endpoint<Method, Access, unknown, unknown, unknown, unknown, 'upload' | 'download' | 'export'>;

/** The procedures that the contracts declare, with the types of zod. */
type ExpectedTree<Tree> = {
  [K in keyof Tree as Tree[K] extends FileEndpoint ? never : K]: Tree[K] extends Endpoint ? ExpectedOf<Tree[K]> : ExpectedTree<Tree[K]>;
};

/** The generated procedures, without their error codes. */
type GeneratedTree<Tree> = {
  [K in keyof Tree]: Tree[K] extends
    Query<unknown, unknown, string> | Mutation<unknown, unknown, string> | Subscription<unknown, unknown, string>
    ? Pick<Tree[K], 'type' | 'input' | 'output'>
    : GeneratedTree<Tree[K]>;
};

/** Makes optional fields required: two types that differ by an optional field are assignable to each other otherwise. */
type AllFields<T> = T extends readonly (infer Item)[] ? AllFields<Item>[] : T extends object ? { [K in keyof T]-?: AllFields<T[K]> } : T;

/** The fields of an upload. */
type SentForm<Group extends 'attachments' | 'imports'> = NonNullable<Contract[Group]['create']['types']>['sent'];

/** What the contracts declare. */
export type Expected = ExpectedTree<Contract> & { upload: SentForm<'attachments'>; import: SentForm<'imports'> };
export type ExpectedFields = AllFields<Expected>;
/** What the client declares. */
export type Generated = GeneratedTree<Procedures & Subscriptions> & { upload: AttachmentCreate; import: ImportCreate };
export type GeneratedFields = AllFields<Generated>;
