import type { TRPCLink } from '@trpc/client';
import type { ProfileRouter } from './links.ts';
import { isConditional } from './mutations.ts';

interface Conditional {
  etag?: unknown;
  ifMatch?: unknown;
}

/**
 * Sends the `etag` in the input of a mutation as `ifMatch`, so that a caller can pass the record that was read. Other mutations send no `etag`. An `ifMatch`
 * of the caller is kept, also where the service rejects it.
 */
export const conditionLink: TRPCLink<ProfileRouter> =
  () =>
  ({ op, next }) =>
    next(op.type === 'mutation' ? { ...op, input: withCondition(op.path, op.input) } : op);

function withCondition(procedure: string, input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input;
  const { etag, ...rest } = input as Conditional;
  return isConditional(procedure) && etag !== undefined && rest.ifMatch === undefined ? { ...rest, ifMatch: etag } : rest;
}
