import { claimIdempotencyKey, newId } from '@profile-service/db';
import type { AnyHandler } from '../handler.ts';
import type { RequestContext } from '../context.ts';
import type { IdempotencyClaims } from '../idempotency-claims.ts';
import { keyedRequestOf } from '../keyed-request.ts';
import { defineStep, runSteps, type Step } from '../run.ts';
import { precheck } from './precheck.ts';
import { replay, storeResponse } from './with-idempotency-key.ts';

/**
 * Same as `withIdempotencyKey`, for a handler that owns its transaction. A committed claim stands for the key while the handler calls the identity provider or
 * the storage. The response is stored in the handler's transaction, whose work must return the output. The process renews the claim while
 * the handler runs. If the process dies, the claim expires.
 * @param resultSteps those of the steps that make the response from the output
 */
export function withIdempotencyClaim(
  claims: IdempotencyClaims,
  handler: AnyHandler,
  steps: readonly Step[],
  resultSteps: readonly Step[],
): Step {
  const check = precheck(handler);
  const runOnce = async (context: RequestContext, key: string) => {
    const claimId = newId();
    const request = { ...keyedRequestOf(context, key, claimId), claimId };
    const claim = await context
      .transaction(({ db }) => claimIdempotencyKey(db, request))
      .catch((error: unknown) => {
        // If the connection ended during the commit, the claim may exist.
        void claims.release(request);
        throw error;
      });
    if (claim.outcome !== 'CLAIMED') return replay(context, claim, check);
    context.storeOutput = async (transaction, output) => {
      context.output = output;
      await runSteps(context, resultSteps);
      await storeResponse(context, transaction, request);
    };
    claims.hold(request);
    try {
      await runSteps(context, steps);
      claims.end(request);
    } catch (error) {
      await claims.release(request);
      throw error;
    }
  };
  return defineStep('with-idempotency-claim', (context) =>
    context.idempotencyKey === undefined ? runSteps(context, steps) : runOnce(context, context.idempotencyKey),
  );
}
