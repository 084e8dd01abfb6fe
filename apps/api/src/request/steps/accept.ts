import { acceptsIdempotencyKey, acceptsIfMatch, ProblemError } from '@profile-service/contracts';
import type { CompiledEndpoint } from '../compiled-endpoint.ts';
import type { RequestContext } from '../context.ts';
import type { RequestDependencies } from '../dependencies.ts';
import { type EntityTags, parseEntityTags } from '../entity-tags.ts';
import type { Input, RawInput } from '../input.ts';
import { defineStep } from '../step.ts';
import { validationFailed } from '../validation-failed.ts';
import { admit, type Authorization, reauthorize } from './admit.ts';
import { readInput } from './read-input.ts';

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

/** The steps of a read before it runs. */
export async function acceptRead(
  context: RequestContext,
  endpoint: CompiledEndpoint,
  dependencies: RequestDependencies,
): Promise<Accepted> {
  const admitted = await admit(context, dependencies);
  const rawInput = await readInput(context, dependencies.concurrency.largeBodies, admitted.caller);
  return accept(context, endpoint, admitted, rawInput);
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

/** Validates the input against the endpoint's schemas. Throws VALIDATION_FAILED. */
const validate = defineStep('validate', (_context, parse: (rawInput: RawInput) => Input, rawInput: RawInput): Input => {
  const input = parse(rawInput);
  if (rawInput.file) input['file'] = rawInput.file;
  return input;
});

/**
 * Returns the versions of the record in If-Match, or `ifMatch` over tRPC; undefined if the call is not conditional. Throws VALIDATION_FAILED if it is malformed,
 * or if the endpoint accepts none: ignoring it could lose an update.
 */
const readIfMatch = defineStep('read-if-match', ({ endpoint }, { ifMatch }: RawInput): EntityTags | undefined => {
  if (ifMatch === undefined) return undefined;
  if (!acceptsIfMatch(endpoint)) throw validationFailed('If-Match', 'This operation is never conditional. Send the request without it');
  const tags = typeof ifMatch === 'string' ? parseEntityTags(ifMatch) : undefined;
  if (!tags) throw validationFailed('If-Match', 'Must be an ETag with its quotes, a list of such ETags, or *');
  return tags;
});

const visibleAscii = /^[\u0021-\u007e]{1,255}$/;

/**
 * Returns the Idempotency-Key, or `idempotencyKey` over tRPC; undefined if there is none. Throws VALIDATION_FAILED if it is malformed, or given twice: Node joins
 * the values with a comma and a space.
 */
const readIdempotencyKey = defineStep('read-idempotency-key', (_context, { idempotencyKey }: RawInput): string | undefined => {
  if (idempotencyKey === undefined) return undefined;
  if (typeof idempotencyKey === 'string' && visibleAscii.test(idempotencyKey)) return idempotencyKey;
  throw validationFailed('Idempotency-Key', 'Must be 1 to 255 visible ASCII characters, given once');
});

/** Rejects an input with another tenant than the active one, for callers who may see only that one. Throws TENANT_NOT_FOUND (ACCESS-12). */
export const requireOwnTenant = defineStep('require-own-tenant', (_context, authorization: Authorization, input: Input): void =>
  assertOwnTenant(authorization, input),
);

/** Throws TENANT_NOT_FOUND for an input with another tenant than the active one, for callers who may see only that one (ACCESS-12). */
export function assertOwnTenant({ ownTenant }: Authorization, input: Input): void {
  if (ownTenant && input[ownTenant.field] !== ownTenant.tenantId) throw new ProblemError('TENANT_NOT_FOUND');
}
