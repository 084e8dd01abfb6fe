import type { TRPCBuiltRouter, TRPCDefaultErrorShape, TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server';
import type { Access } from './access.ts';
import type { Problem } from './errors.ts';
import type { Method, Endpoint } from './endpoint.ts';
import type { RecordType } from './records.ts';

/** tRPC's error shape with the problem document in its `data`. */
export interface ErrorShape extends TRPCDefaultErrorShape {
  data: TRPCDefaultErrorShape['data'] & { problem: Problem };
}

interface RootTypes {
  ctx: object;
  meta: object;
  errorShape: ErrorShape;
  transformer: false;
}

/** If every field is optional, the input is optional too: `users.list.query()`. */
type Optional<Sent> = Record<never, never> extends Sent ? Sent | void : Sent;

/** Values that are headers over REST. */
interface ConditionalInput {
  /** An ETag, or a list of ETags. If the record has another one by now, the call fails with PRECONDITION_FAILED. */
  ifMatch?: string | undefined;
  /** The `etag` of the record that was read. The client of this service sends it as `ifMatch`, unless that is given. The service ignores it. */
  etag?: string | undefined;
}
interface KeyedInput {
  /** A new random value for each change that you want. A call that repeats it within 24 hours gets the result of the first one. */
  idempotencyKey?: string;
}
interface VersionedOutput {
  /** Version of the record, with its quotes: a value for `ifMatch`. */
  etag: string;
}

type SentTo<M extends Method, V, Sent> = Optional<
  M extends 'POST' ? Sent & KeyedInput : V extends RecordType ? (M extends 'PUT' | 'DELETE' ? Sent & ConditionalInput : Sent) : Sent
>;
type ReceivedFrom<V, Output> = V extends RecordType ? (Output extends object ? Output & VersionedOutput : Output) : Output;

type ProcedureOf<E extends Endpoint> =
  E extends Endpoint<infer M, Access, infer Sent, unknown, unknown, infer Output, infer _F, infer V>
    ? M extends 'GET'
      ? TRPCQueryProcedure<{ input: SentTo<M, V, Sent>; output: ReceivedFrom<V, Output>; meta: object }>
      : TRPCMutationProcedure<{ input: SentTo<M, V, Sent>; output: ReceivedFrom<V, Output>; meta: object }>
    : never;

/** tRPC carries JSON only, so endpoints with files are not procedures. */
type FileEndpoint = Endpoint<Method, Access, unknown, unknown, unknown, unknown, 'upload' | 'download'>;

type ProceduresOf<Tree> = {
  [K in keyof Tree as Tree[K] extends FileEndpoint ? never : K]: Tree[K] extends Endpoint ? ProcedureOf<Tree[K]> : ProceduresOf<Tree[K]>;
};

/** The type of the tRPC router of a contract. A typed client needs this type only, and no server code. */
export type RouterOf<Tree> = TRPCBuiltRouter<RootTypes, ProceduresOf<Tree>>;
