import { claimIdempotencyKey, type ClaimedRequest } from '@profile-service/db';
import type { RequestContext } from '../context.ts';
import type { RequestDependencies } from '../dependencies.ts';
import { replay } from '../idempotent-response.ts';
import type { OperationResult } from '../response.ts';
import { openSecret } from '../response-secrets.ts';
import { defineStep } from '../step.ts';
import type { RunInTransaction } from '../transaction.ts';

/**
 * Same as `withIdempotencyKey`, for work that calls an external system. A committed claim stands for the key meanwhile. The process renews it; if the process
 * dies, the claim expires. The work stores the response in its transaction.
 * @param check runs before a stored response is returned
 */
export const withIdempotencyClaim = defineStep(
  'with-idempotency-claim',
  async (
    { endpoint }: RequestContext,
    { idempotencyClaims: claims, handlerDependencies: { webhooks } }: RequestDependencies,
    request: ClaimedRequest,
    runInTransaction: RunInTransaction,
    check: () => Promise<unknown>,
    work: () => Promise<OperationResult>,
  ): Promise<OperationResult> => {
    const claim = await runInTransaction(({ unscoped }) => claimIdempotencyKey(unscoped, request)).catch((error: unknown) => {
      // If the connection ended during the commit, the claim may exist.
      void claims.release(request);
      throw error;
    });
    // The request that is running may hold the locks of the check.
    if (claim.outcome === 'IN_PROGRESS') return replay(claim);
    if (claim.outcome !== 'CLAIMED') {
      await check();
      return openSecret(endpoint, replay(claim), webhooks);
    }
    claims.hold(request);
    try {
      const response = await work();
      claims.end(request);
      return response;
    } catch (error) {
      await claims.release(request);
      throw error;
    }
  },
);
