import { ProblemError } from '@profile-service/contracts';
import { type Claim, type KeyedRequest, storeIdempotentResponse } from '@profile-service/db';
import type { OperationResult } from './response.ts';
import type { Transaction } from './transaction.ts';

/**
 * Returns the stored response of an earlier request with the same key.
 * @throws IDEMPOTENCY_KEY_IN_PROGRESS, IDEMPOTENCY_KEY_REUSED
 */
export function replay(claim: Exclude<Claim, { outcome: 'CLAIMED' }>): OperationResult {
  if (claim.outcome === 'IN_PROGRESS') throw new ProblemError('IDEMPOTENCY_KEY_IN_PROGRESS');
  if (claim.outcome !== 'REPLAYED') throw new ProblemError('IDEMPOTENCY_KEY_REUSED');
  const { status, body, etag } = claim;
  return { status, body, headers: { 'idempotency-replayed': 'true', ...(etag !== null && { etag }) } };
}

/** Stores the response in the transaction of its change. Throws IDEMPOTENCY_KEY_IN_PROGRESS if another request has taken its expired claim. */
export async function storeResponse({ unscoped }: Transaction, request: KeyedRequest, response: OperationResult): Promise<void> {
  const { status, headers, body } = response;
  const isStored = await storeIdempotentResponse(unscoped, request, { status, etag: headers['etag'] ?? null, body });
  if (!isStored) throw new ProblemError('IDEMPOTENCY_KEY_IN_PROGRESS');
}
