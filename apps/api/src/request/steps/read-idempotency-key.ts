import type { RawInput } from '../input.ts';
import { defineStep } from '../step.ts';
import { validationFailed } from '../validation-failed.ts';

const visibleAscii = /^[\u0021-\u007e]{1,255}$/;

/**
 * Returns the Idempotency-Key, or `idempotencyKey` over tRPC; undefined if there is none. Throws VALIDATION_FAILED if it is malformed, or given twice: Node joins
 * the values with a space.
 */
export const readIdempotencyKey = defineStep('read-idempotency-key', (_context, { idempotencyKey }: RawInput): string | undefined => {
  if (idempotencyKey === undefined) return undefined;
  if (typeof idempotencyKey === 'string' && visibleAscii.test(idempotencyKey)) return idempotencyKey;
  throw validationFailed('Idempotency-Key', 'Must be 1 to 255 visible ASCII characters, given once');
});
