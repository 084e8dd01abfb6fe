import type { EventPosition } from '@profile-service/db';
import { validationFailed } from './validation-failed.ts';

/** PostgreSQL's transaction ids have 64 bits. */
const maxTransactionId = 2n ** 64n - 1n;

/** Encodes the position after which the next page starts. It is the same for every caller and for all filters. */
export const encodeEventCursor = ({ epoch, transactionId, sequence }: EventPosition): string =>
  Buffer.from(`${epoch}.${transactionId}.${sequence}`).toString('base64url');

/** Decodes a cursor. Throws VALIDATION_FAILED if it is malformed. */
export function decodeEventCursor(cursor: string, field = 'cursor'): EventPosition {
  const text = /^[\w-]+$/.test(cursor) ? Buffer.from(cursor, 'base64url').toString() : '';
  const [, epoch, transactionId = '', sequence] = /^(\d{1,15})\.(\d{1,20})\.(\d{1,15})$/.exec(text) ?? [];
  if (epoch === undefined || BigInt(transactionId) > maxTransactionId)
    throw validationFailed(field, 'Expected the nextCursor of an earlier response');
  return { epoch: Number(epoch), transactionId, sequence: Number(sequence) };
}
