import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from '@opentelemetry/api';

/** The span of the current asynchronous context. Empty if tracing is off. */
export const activeSpan = new AsyncLocalStorage<Span | undefined>();

/**
 * Runs background work without an active span. Timers and sockets keep the span that was active at their creation, so the work could otherwise get the span of
 * an unrelated request.
 */
export const withoutSpan = <T>(work: () => T): T => activeSpan.run(undefined, work);
