import { tenantKey } from '../limits/keys.ts';
import type { OutboundBufferLimit } from '../limits/outbound-buffer-limit.ts';
import { defineStep, type Step } from '../run.ts';

/** Rejects the call while the clients of its tenant have not received too many bytes of earlier responses. Throws RATE_LIMITED. */
export const limitOutboundBuffer = (limit: OutboundBufferLimit): Step =>
  defineStep('limit-outbound-buffer', ({ caller }) => limit.assertBelowLimit(tenantKey(caller)));
