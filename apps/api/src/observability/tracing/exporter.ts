import { ExportResultCode } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Log } from '../log.ts';
import { withoutSpan } from './active-span.ts';
import type { TracingSettings } from './settings.ts';

/**
 * Creates the exporter, which sends spans over HTTP. It reads headers, time limit, compression and TLS files from the standard variables
 * (OTEL_EXPORTER_OTLP_HEADERS and others). The log has one line when exports begin to fail, and one when they succeed again.
 */
export async function createExporter(
  url: string,
  protocol: TracingSettings['OTEL_EXPORTER_OTLP_PROTOCOL'],
  log: Log,
): Promise<SpanExporter> {
  const { OTLPTraceExporter } = await (protocol === 'http/json'
    ? import('@opentelemetry/exporter-trace-otlp-http')
    : import('@opentelemetry/exporter-trace-otlp-proto'));
  const exporter: SpanExporter = new OTLPTraceExporter({ url });
  let fails = false;
  return {
    // The timer of an export starts during a request.
    export: (spans, onResult) =>
      withoutSpan(() =>
        exporter.export(spans, (result) => {
          const failed = result.code !== ExportResultCode.SUCCESS;
          if (failed && !fails)
            log.warn({ part: 'traces', reason: String(result.error) }, 'traces cannot be exported: check OTEL_EXPORTER_OTLP_ENDPOINT');
          if (!failed && fails) log.info({ part: 'traces' }, 'traces are exported again');
          fails = failed;
          onResult(result);
        }),
      ),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
