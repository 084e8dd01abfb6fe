import type { TRPCBuiltRouter, TRPCDefaultErrorShape, TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server';
import type { Access } from './access.ts';
import type { Problem } from './errors.ts';
import type { Method, Endpoint } from './endpoint.ts';

/** tRPC's own error shape with the whole problem document beside it. */
export interface ErrorShape extends TRPCDefaultErrorShape {
  data: TRPCDefaultErrorShape['data'] & { problem: Problem };
}

interface RootTypes {
  ctx: object;
  meta: object;
  errorShape: ErrorShape;
  transformer: false;
}

/** Where every field may be left out, so may the input itself: `users.list.query()`. */
type SentTo<Sent> = Record<never, never> extends Sent ? Sent | void : Sent;

type ProcedureOf<R extends Endpoint> =
  R extends Endpoint<infer M, Access, infer Sent, unknown, unknown, infer Output>
    ? M extends 'GET'
      ? TRPCQueryProcedure<{ input: SentTo<Sent>; output: Output; meta: object }>
      : TRPCMutationProcedure<{ input: SentTo<Sent>; output: Output; meta: object }>
    : never;

/** A procedure's answer is no file and its input is no stream: such rows are served over REST alone. */
type FileEndpoint = Endpoint<Method, Access, unknown, unknown, unknown, unknown, 'upload' | 'download'>;

type RecordOf<Tree> = {
  [K in keyof Tree as Tree[K] extends FileEndpoint ? never : K]: Tree[K] extends Endpoint ? ProcedureOf<Tree[K]> : RecordOf<Tree[K]>;
};

/** The tRPC router that a contract amounts to: what a typed client needs, with no server code behind it. */
export type RouterOf<Tree> = TRPCBuiltRouter<RootTypes, RecordOf<Tree>>;
