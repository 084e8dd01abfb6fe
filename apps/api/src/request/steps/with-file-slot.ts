import type { Caller } from '@profile-service/auth';
import type { RequestContext } from '../context.ts';
import type { Admission } from '../limits/admission.ts';
import { tenantKey } from '../limits/keys.ts';
import { defineStep } from '../step.ts';

/** Runs the work in one of the tenant's slots for uploads or downloads (D-29). Throws RATE_LIMITED when none is free in time. */
export const withFileSlot = defineStep(
  'with-file-slot',
  async <T>({ request }: RequestContext, limit: Admission, caller: Caller, work: () => Promise<T>): Promise<T> =>
    limit.run(tenantKey(caller), request.abort, work),
);
