import type { Caller } from '@profile-service/auth';
import { tenantKey } from '../limits/keys.ts';
import type { OutboundBufferLimit } from '../limits/outbound-buffer-limit.ts';
import { defineStep } from '../step.ts';

/** Rejects the call while the clients of its tenant have not received too many bytes of earlier responses. Throws RATE_LIMITED. */
export const limitOutboundBuffer = defineStep('limit-outbound-buffer', (_context, limit: OutboundBufferLimit, caller: Caller) =>
  limit.assertBelowLimit(tenantKey(caller)),
);
