import { tenantKey } from '../../limits/keys.ts';
import type { OutboundBufferLimit } from '../../limits/outbound-buffer-limit.ts';
import type { Step } from '../run.ts';

/** Refuses the call while the clients of its tenant have too many responses to receive. Throws RATE_LIMITED. */
export const limitOutboundBuffer =
  (limit: OutboundBufferLimit): Step =>
  ({ caller }) =>
    limit.assertBelowLimit(tenantKey(caller));
