import { activeTenantId, type Caller } from '@profile-service/auth';
import type { Actor, WriteOrigin } from '@profile-service/db';
import type { RequestContext } from './context.ts';
import type { Input } from './input.ts';

/** The caller as the actor of audit entries and events. An application has the id of its tenant. */
export const actorOf = (caller: Caller): Extract<Actor, { id: string }> =>
  caller.kind === 'user' ? { kind: 'USER', id: caller.userId } : { kind: 'APPLICATION', id: caller.tenantId };

/** What the audit entry of a call says besides the changes. */
export const originOf = ({ operation, endpoint, requestId }: RequestContext, caller: Caller, input: Input): WriteOrigin => ({
  operation,
  actor: actorOf(caller),
  requestId,
  tenantId: activeTenantId(caller),
  events: endpoint.events,
  recordId: typeof input['id'] === 'string' ? input['id'] : null,
});
