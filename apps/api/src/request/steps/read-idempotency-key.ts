import { validationFailed } from '../validation-failed.ts';
import { defineStep } from '../run.ts';

const visibleAscii = /^[\u0021-\u007e]{1,255}$/;

/** Reads Idempotency-Key, or `idempotencyKey` over tRPC. Throws VALIDATION_FAILED if it is malformed, or given twice: Node joins the values with a space. */
export const readIdempotencyKey = defineStep('read-idempotency-key', (context) => {
  const { idempotencyKey } = context.rawInput;
  if (idempotencyKey === undefined) return;
  if (typeof idempotencyKey !== 'string' || !visibleAscii.test(idempotencyKey)) {
    throw validationFailed('Idempotency-Key', 'Must be 1 to 255 visible ASCII characters, given once');
  }
  context.idempotencyKey = idempotencyKey;
});
