import type { RequestContext } from '../context.ts';
import type { RequestDependencies } from '../dependencies.ts';
import type { Input } from '../input.ts';
import { tenantKey } from '../limits/keys.ts';
import { defineStep } from '../step.ts';
import { requireOwnTenant } from './accept.ts';
import { type Authorization, limitOutboundBuffer, reauthorize } from './admit.ts';

/**
 * Runs the work in one of the tenant's database slots (D-29). If the call had to wait for the slot, it is authorized again first.
 * @throws SERVICE_UNAVAILABLE when the service is overloaded, RATE_LIMITED when none of the tenant's slots is free in time
 */
export const withDatabaseSlot = defineStep(
  'with-database-slot',
  async <T>(
    context: RequestContext,
    dependencies: RequestDependencies,
    authorization: Authorization,
    input: Input,
    work: (authorization: Authorization) => Promise<T>,
  ): Promise<T> => {
    const { database, outboundBuffer } = dependencies.concurrency;
    const { request } = context;
    const run = async (hasWaited: boolean): Promise<T> => {
      // Do not start for a client that has disconnected. A write that has started runs to its end.
      request.abort.throwIfAborted();
      request.beforeHandler?.();
      context.hasStarted = true;
      const current = hasWaited ? await reauthorize(context, dependencies) : authorization;
      if (hasWaited) requireOwnTenant(context, current, input);
      limitOutboundBuffer(context, outboundBuffer, current.caller);
      return work(current);
    };
    return database.run(tenantKey(authorization.caller), request.abort, run, context.hasStarted);
  },
);
