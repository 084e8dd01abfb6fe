import type { TRPCBuiltRouter, TRPCDefaultErrorShape, TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server';
import type { Access } from './access.ts';
import type { Problem } from './errors.ts';
import type { Method, Endpoint } from './endpoint.ts';

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
type SentTo<Sent> = Record<never, never> extends Sent ? Sent | void : Sent;

type ProcedureOf<E extends Endpoint> =
  E extends Endpoint<infer M, Access, infer Sent, unknown, unknown, infer Output>
    ? M extends 'GET'
      ? TRPCQueryProcedure<{ input: SentTo<Sent>; output: Output; meta: object }>
      : TRPCMutationProcedure<{ input: SentTo<Sent>; output: Output; meta: object }>
    : never;

/** tRPC carries JSON only, so endpoints with files are not procedures. */
type FileEndpoint = Endpoint<Method, Access, unknown, unknown, unknown, unknown, 'upload' | 'download'>;

type ProceduresOf<Tree> = {
  [K in keyof Tree as Tree[K] extends FileEndpoint ? never : K]: Tree[K] extends Endpoint ? ProcedureOf<Tree[K]> : ProceduresOf<Tree[K]>;
};

/** The type of the tRPC router of a contract. A typed client needs this type only, and no server code. */
export type RouterOf<Tree> = TRPCBuiltRouter<RootTypes, ProceduresOf<Tree>>;
