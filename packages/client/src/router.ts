import type {
  TRPCBuiltRouter,
  TRPCDefaultErrorShape,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
} from '@trpc/server';
import type { Problem } from './generated/models.ts';
import type { Procedures, Subscriptions } from './generated/procedures.ts';
import type { Mutation, Query, Subscription } from './procedure.ts';

/* Aliases, not interfaces: a package of the reader that emits declarations cannot name an interface that is not exported. */

type ErrorShape = TRPCDefaultErrorShape & { data: { problem: Problem } };

type RootTypes = { ctx: object; meta: object; errorShape: ErrorShape; transformer: false };

type RecordOf<Tree> = {
  [Key in keyof Tree]: Tree[Key] extends Query<infer Input, infer Output, string>
    ? TRPCQueryProcedure<{ input: Input; output: Output; meta: object }>
    : Tree[Key] extends Mutation<infer Input, infer Output, string>
      ? TRPCMutationProcedure<{ input: Input; output: Output; meta: object }>
      : Tree[Key] extends Subscription<infer Input, infer Output, string>
        ? TRPCSubscriptionProcedure<{ input: Input; output: AsyncIterable<{ id: string; data: Output }, void>; meta: object }>
        : RecordOf<Tree[Key]>;
};

/** The type of the service's tRPC router, for `createTRPCClient<ProfileRouter>` and `@trpc/tanstack-react-query`. */
export type ProfileRouter = TRPCBuiltRouter<RootTypes, RecordOf<Procedures & Subscriptions>>;
