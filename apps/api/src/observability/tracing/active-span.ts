import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from '@opentelemetry/api';

/** The span of the current asynchronous context. Empty if tracing is off. */
export const activeSpan = new AsyncLocalStorage<Span>();
