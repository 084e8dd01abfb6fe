import { setTimeout as pause } from 'node:timers/promises';
import { isSpanContextValid, type Link, ROOT_CONTEXT, type Span, SpanKind, type SpanOptions, trace } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { ATTR_RPC_METHOD, ATTR_RPC_SYSTEM_NAME } from '@opentelemetry/semantic-conventions';
import type { Log } from '../log.ts';
import { activeSpan } from './active-span.ts';
import { createDatabaseObserver } from './database-observer.ts';
import { createExporter } from './exporter.ts';
import { attributesOfRequest, recordResponse } from './http-attributes.ts';
import { recordError } from './record-error.ts';
import { createResource } from './resource.ts';
import { createSampler } from './sampler.ts';
import type { TracingSettings } from './settings.ts';
import type { Tracing } from './tracing.ts';

/** Time limit of the export at shutdown, in milliseconds. */
const closeMs = 2_000;

/** Creates the traces of this process. The services of one process have separate ones: nothing is registered globally. */
export async function createTracing(url: string, settings: TracingSettings, log: Log): Promise<Tracing> {
  const provider = new TracerProvider({
    resource: createResource(),
    sampler: createSampler(settings),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: await createExporter(url, settings.OTEL_EXPORTER_OTLP_PROTOCOL, log),
        scheduledDelayMillis: settings.OTEL_BSP_SCHEDULE_DELAY,
        maxQueueSize: settings.OTEL_BSP_MAX_QUEUE_SIZE,
      }),
    ],
  });
  const tracer = provider.getTracer('profile-service');

  /** Runs the work with the span as the active one, then ends the span. */
  function runToEnd<T>(span: Span, work: () => T): T {
    const fail = (error: unknown): never => {
      recordError(span, error);
      span.end();
      throw error;
    };
    let result: T;
    try {
      result = activeSpan.run(span, work);
    } catch (error) {
      return fail(error);
    }
    if (!(result instanceof Promise)) {
      span.end();
      return result;
    }
    return result.then((value: unknown) => {
      span.end();
      return value;
    }, fail) as T;
  }

  /** A span whose trace is not sampled has no children. */
  const parent = (): Span | undefined => {
    const span = activeSpan.getStore();
    return span?.isRecording() ? span : undefined;
  };

  function inSpan<T>(name: string, work: () => T, options: SpanOptions = {}): T {
    const parentSpan = parent();
    return parentSpan ? runToEnd(tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, parentSpan)), work) : work();
  }

  return {
    startRequest(request) {
      const remote = spanContextOf(request.traceparent);
      const context = remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
      const attributes = attributesOfRequest(request);
      const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER, attributes }, context);
      return {
        run: (work) => activeSpan.run(span, work),
        end(response) {
          recordResponse(span, request.method, response);
          span.end();
        },
      };
    },
    inSpan: (name, work) => inSpan(name, work),
    inProcedure: (name, work) => inSpan(name, work, { attributes: { [ATTR_RPC_SYSTEM_NAME]: 'trpc', [ATTR_RPC_METHOD]: name } }),
    callsOf: (server) => (operation, work) =>
      inSpan(`${server} ${operation}`, work, { kind: SpanKind.CLIENT, attributes: { 'service.peer.name': server } }),
    inJob(name, addedBy, work) {
      const context = spanContextOf(addedBy);
      const links: Link[] = context ? [{ context }] : [];
      return runToEnd(tracer.startSpan(name, { kind: SpanKind.CONSUMER, links }, ROOT_CONTEXT), work);
    },
    traceparent() {
      const context = activeSpan.getStore()?.spanContext();
      return context && `00-${context.traceId}-${context.spanId}-0${context.traceFlags & 1}`;
    },
    databaseObserver: (connectionString) => createDatabaseObserver(tracer, parent, connectionString),
    close: () => Promise.race([provider.shutdown().catch(() => undefined), pause(closeMs, undefined, { ref: false })]),
  };
}

function spanContextOf(traceparent: string | undefined): Link['context'] | undefined {
  const context = traceparent === undefined ? null : parseTraceParent(traceparent);
  return context && isSpanContextValid(context) ? { ...context, isRemote: true } : undefined;
}
