import type { TRPCDefaultErrorShape } from '@trpc/server';
import type { Problem } from './errors.ts';

/** tRPC's error shape with the problem document in its `data`. */
export interface ErrorShape extends TRPCDefaultErrorShape {
  data: TRPCDefaultErrorShape['data'] & { problem: Problem };
}
