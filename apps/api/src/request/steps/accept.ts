import { acceptsIdempotencyKey } from '@profile-service/contracts';
import type { CompiledEndpoint } from '../compiled-endpoint.ts';
import type { RequestContext } from '../context.ts';
import type { RequestDependencies } from '../dependencies.ts';
import type { EntityTags } from '../entity-tags.ts';
import type { Input, RawInput } from '../input.ts';
import { admit, reauthorize } from './admit.ts';
import type { Authorization } from './authorize.ts';
import { readIdempotencyKey } from './read-idempotency-key.ts';
import { readIfMatch } from './read-if-match.ts';
import { readInput } from './read-input.ts';
import { requireOwnTenant } from './require-own-tenant.ts';
import { validate } from './validate.ts';

/** A call that may run. */
export interface Accepted {
  authorization: Authorization;
  /** The validated path, query and body. */
  input: Input;
  /** The versions for which the call may change the record. Undefined if the call is not conditional. */
  ifMatch: EntityTags | undefined;
  /** The idempotency key. */
  key: string | undefined;
}

/** The steps after the input of a call was read. */
export function accept(
  context: RequestContext,
  { endpoint, parse }: CompiledEndpoint,
  authorization: Authorization,
  rawInput: RawInput,
): Accepted {
  const input = validate(context, parse, rawInput);
  const ifMatch = readIfMatch(context, rawInput);
  const key = acceptsIdempotencyKey(endpoint) ? readIdempotencyKey(context, rawInput) : undefined;
  requireOwnTenant(context, authorization, input);
  return { authorization, input, ifMatch, key };
}

/** The steps of a write before it runs. Permissions may be revoked while a body arrives, so the call is authorized again after that. */
export async function acceptWrite(
  context: RequestContext,
  endpoint: CompiledEndpoint,
  dependencies: RequestDependencies,
): Promise<Accepted> {
  const admitted = await admit(context, dependencies);
  const rawInput = await readInput(context, dependencies.concurrency.largeBodies, admitted.caller);
  return accept(context, endpoint, endpoint.endpoint.body ? await reauthorize(context, dependencies) : admitted, rawInput);
}
