import type { ErrorDeclarations } from './declaration.ts';

/** Failures of the service and of what it depends on. */
export const serviceErrors = {
  INTERNAL_ERROR: {
    status: 500,
    title: 'Internal error',
    when: 'The service failed unexpectedly. Report the request id in `instance`: the log has the details.',
    cause: 'A defect of the service, or a failure that it does not recognize.',
    action: 'Report the request id to the operator. Do not retry in a loop: the same request usually fails again.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    title: 'Service unavailable',
    when: 'The service is overloaded, or the database is unreachable at the moment. `Retry-After` states the seconds to wait.',
    cause:
      'Too many requests wait for their turn, the database restarts or is overloaded, or a statement exceeded its limit of 10 seconds.',
    action: 'Wait for `Retry-After`, then repeat the request. Repeat a POST with its `Idempotency-Key`: the first one may have been done.',
  },
  IDENTITY_PROVIDER_UNAVAILABLE: {
    status: 503,
    title: 'Identity provider unavailable',
    when: 'The identity provider is unreachable or returned an error. `Retry-After` states the seconds to wait.',
    cause: 'The identity provider restarts. Creating a user needs it. A new instance cannot verify tokens before it has its signing keys.',
    action:
      'Wait for `Retry-After`, then repeat the request. If it persists, the operator finds the reason in `GET /health/ready` of the management port.',
  },
} as const satisfies ErrorDeclarations;
