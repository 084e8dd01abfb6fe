import type { Mutant } from '../mutant.ts';
import { audit } from './audit.ts';
import { authentication } from './authentication.ts';
import { authorization } from './authorization.ts';
import { callerInvalidation } from './caller-invalidation.ts';
import { conditionalWrites } from './conditional-writes.ts';
import { events } from './events.ts';
import { exportMutants } from './exports.ts';
import { idempotency } from './idempotency.ts';
import { imports } from './imports.ts';
import { limits } from './limits.ts';
import { lists } from './lists.ts';
import { queries } from './queries.ts';
import { requestContent } from './request-content.ts';
import { scope } from './scope.ts';
import { webhookRequests } from './webhook-requests.ts';
import { webhooks } from './webhooks.ts';

/** All mutants. */
export const mutants: readonly Mutant[] = [
  ...scope,
  ...authentication,
  ...authorization,
  ...callerInvalidation,
  ...queries,
  ...lists,
  ...exportMutants,
  ...imports,
  ...limits,
  ...requestContent,
  ...conditionalWrites,
  ...idempotency,
  ...audit,
  ...events,
  ...webhookRequests,
  ...webhooks,
];
