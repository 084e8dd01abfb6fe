import { ProblemError } from '@profile-service/contracts';
import { type Claim, claimIdempotencyKey, type KeyedRequest, storeIdempotentResponse } from '@profile-service/db';
import type { AnyHandler, Transaction } from '../handler.ts';
import type { RequestContext } from '../context.ts';
import { keyedRequestOf } from '../keyed-request.ts';
import { defineStep, runSteps, type Step } from '../run.ts';
import { precheck } from './precheck.ts';

/**
 * Runs the steps of a call once for each idempotency key, in the open transaction: the key and the response are stored with the change, or not at all. A
 * repeated call gets the stored response instead.
 * @throws IDEMPOTENCY_KEY_IN_PROGRESS, IDEMPOTENCY_KEY_REUSED, or the errors of the handler's precheck
 */
export function withIdempotencyKey(handler: AnyHandler, steps: readonly Step[]): Step {
  const check = precheck(handler);
  const runOnce = async (context: RequestContext, key: string) => {
    const { openTransaction } = context;
    const request = keyedRequestOf(context, key, null);
    const claim = await claimIdempotencyKey(openTransaction.db, request);
    if (claim.outcome !== 'CLAIMED') return replay(context, claim, check);
    openTransaction.commitLater();
    await runSteps(context, steps);
    await storeResponse(context, openTransaction, request);
  };
  return defineStep('with-idempotency-key', (context) =>
    context.idempotencyKey === undefined ? runSteps(context, steps) : runOnce(context, context.idempotencyKey),
  );
}

/** Ends a call whose key has been claimed before. The caller must still have access to what the input names. */
export async function replay(
  context: RequestContext,
  claim: Exclude<Claim, { outcome: 'CLAIMED' }>,
  check: (context: RequestContext) => Promise<void>,
): Promise<void> {
  await check(context);
  if (claim.outcome === 'IN_PROGRESS') throw new ProblemError('IDEMPOTENCY_KEY_IN_PROGRESS');
  if (claim.outcome !== 'REPLAYED') throw new ProblemError('IDEMPOTENCY_KEY_REUSED');
  context.status = claim.status;
  context.output = claim.body;
  context.setHeader('idempotency-replayed', 'true');
  if (claim.etag !== null) context.setHeader('etag', claim.etag);
}

/** Stores the result of a call in the transaction of its change. Throws IDEMPOTENCY_KEY_IN_PROGRESS if another request has taken its expired claim. */
export async function storeResponse(
  { status, headers, output }: RequestContext,
  { db }: Transaction,
  request: KeyedRequest,
): Promise<void> {
  const isStored = await storeIdempotentResponse(db, request, { status, etag: headers['etag'] ?? null, body: output });
  if (!isStored) throw new ProblemError('IDEMPOTENCY_KEY_IN_PROGRESS');
}
