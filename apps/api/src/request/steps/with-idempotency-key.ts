import { claimIdempotencyKey, type KeyedRequest } from '@profile-service/db';
import type { RequestContext } from '../context.ts';
import type { RequestDependencies } from '../dependencies.ts';
import { replay, storeResponse } from '../idempotent-response.ts';
import type { OperationResult } from '../response.ts';
import { openSecret, sealSecret } from '../response-secrets.ts';
import { defineStep } from '../step.ts';
import type { Transaction } from '../transaction.ts';

/**
 * Runs the work once for each idempotency key: the key and the response are stored in the transaction of the change, or not at all. A repeated call gets the
 * stored response instead.
 * @param check runs in both cases: the caller of a repeated call must still have access to what the input names
 * @param work gets what the check returned
 * @throws IDEMPOTENCY_KEY_IN_PROGRESS, IDEMPOTENCY_KEY_REUSED, or the errors of the check
 */
export const withIdempotencyKey = defineStep(
  'with-idempotency-key',
  async (
    { endpoint }: RequestContext,
    { handlerDependencies: { webhooks } }: RequestDependencies,
    transaction: Transaction,
    request: KeyedRequest,
    check: () => Promise<unknown>,
    work: (checked: unknown) => Promise<OperationResult>,
  ): Promise<OperationResult> => {
    const claim = await claimIdempotencyKey(transaction.unscoped, request);
    // The request that is running may hold the locks of the check.
    if (claim.outcome === 'IN_PROGRESS') return replay(claim);
    const checked = await check();
    if (claim.outcome !== 'CLAIMED') return openSecret(endpoint, replay(claim), webhooks);
    const response = await work(checked);
    await storeResponse(transaction, request, sealSecret(endpoint, response, webhooks));
    return response;
  },
);
