import type { ErrorDeclarations } from './declaration.ts';

/** Limits of sizes and rates. */
export const limitErrors = {
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'Payload too large',
    when: 'The request body exceeds a limit, or the responses of a tRPC batch do. `detail` states the limit.',
    cause:
      'A file is larger than the installation allows (25 MiB by default), or a JSON body is larger than its endpoint accepts (mostly 64 KiB).',
    action: 'Check the size before you upload. Send large tRPC calls outside of the batch, and long lists in several requests.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests',
    when: 'A rate limit of the caller or the address, or a concurrency limit of the tenant, is exceeded. `Retry-After` states the seconds to wait.',
    cause:
      'A program sends requests in a loop without a pause, or a tenant has many parallel uploads or requests. Behind a proxy without `TRUST_PROXY`, all clients share one address.',
    action: 'Wait for `Retry-After`, then repeat the request. `RateLimit` states how many requests are left. `detail` names the limit.',
  },
  TOO_MANY_STREAMS: {
    status: 429,
    title: 'Too many streams',
    when: 'The tenant has as many event streams open on this instance as it may have. `Retry-After` states the seconds to wait.',
    cause: 'Each browser tab opens a stream of its own, or a program opens a new stream without closing the old one.',
    action: 'Share one stream between the parts of a program. For many readers, keep a copy of the records and let them read that.',
  },
} as const satisfies ErrorDeclarations;
