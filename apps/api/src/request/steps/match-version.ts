import { type Endpoint, notFoundCodes, ProblemError } from '@profile-service/contracts';
import { lockVersionStatement, type VersionedType } from '@profile-service/db';
import type { AnyHandler } from '../handler.ts';
import type { RequestContext } from '../context.ts';
import { entityTagOf, includesTag } from '../entity-tags.ts';
import { defineStep, type Step } from '../run.ts';
import { precheck } from './precheck.ts';

/**
 * If the call is conditional, locks the record in the open transaction and compares its version with If-Match. Throws PRECONDITION_FAILED, or the 404 of the
 * record. Nothing is changed then.
 */
export function matchVersion({ versioned }: Endpoint, handler: AnyHandler): Step {
  const type = versioned as VersionedType;
  const lockVersion = lockVersionStatement(type);
  const check = precheck(handler);
  const match = async (context: RequestContext, ifMatch: NonNullable<RequestContext['ifMatch']>) => {
    await check(context);
    const { version } = await context.openTransaction.scoped.first(lockVersion, context.input, () => new ProblemError(notFoundCodes[type]));
    if (!includesTag(ifMatch, entityTagOf(version))) throw new ProblemError('PRECONDITION_FAILED');
  };
  return defineStep('match-version', (context) => (context.ifMatch ? match(context, context.ifMatch) : undefined));
}
