import { activeSpan } from './active-span.ts';
import { type TracingSettings, tracesUrl } from './settings.ts';

/** Returns the fields that identify the active span in a log line, under the names of OpenTelemetry. */
function spanFields(): object {
  const context = activeSpan.getStore()?.spanContext();
  return context ? { trace_id: context.traceId, span_id: context.spanId } : {};
}

/** Returns the function that adds fields to each log line, if tracing is on. */
export const spanFieldsIfTraced = (settings: TracingSettings): (() => object) | undefined =>
  tracesUrl(settings) === undefined ? undefined : spanFields;
