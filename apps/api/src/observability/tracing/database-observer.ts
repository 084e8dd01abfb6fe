import { type Span, SpanKind, SpanStatusCode, ROOT_CONTEXT, trace, type Tracer } from '@opentelemetry/api';
import {
  ATTR_DB_NAMESPACE,
  ATTR_DB_OPERATION_NAME,
  ATTR_DB_QUERY_SUMMARY,
  ATTR_DB_QUERY_TEXT,
  ATTR_DB_RESPONSE_STATUS_CODE,
  ATTR_DB_SYSTEM_NAME,
  ATTR_ERROR_TYPE,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  DB_SYSTEM_NAME_VALUE_POSTGRESQL,
} from '@opentelemetry/semantic-conventions';
import type { DatabaseObserver } from '@profile-service/db';
import { activeSpan } from './active-span.ts';
import { errorType } from './record-error.ts';

/**
 * Creates an observer that makes a child span of each statement that PostgreSQL has executed. The spans of statements that travel together start at the same time.
 * Waiting for a connection is an event of the active span.
 * @param parent returns the span that gets the statements of the current asynchronous context
 */
export function createDatabaseObserver(tracer: Tracer, parent: () => Span | undefined, connectionString: string): DatabaseObserver {
  const { hostname, port, pathname } = new URL(connectionString);
  const server = {
    [ATTR_DB_SYSTEM_NAME]: DB_SYSTEM_NAME_VALUE_POSTGRESQL,
    [ATTR_DB_NAMESPACE]: decodeURIComponent(pathname.slice(1)),
    [ATTR_SERVER_ADDRESS]: hostname,
    [ATTR_SERVER_PORT]: Number(port || 5432),
  };

  return {
    statement(text) {
      const parentSpan = parent();
      if (!parentSpan) return undefined;
      const context = trace.setSpan(ROOT_CONTEXT, parentSpan);
      return () => {
        const { operation, summary } = summarize(text);
        const attributes = {
          ...server,
          [ATTR_DB_OPERATION_NAME]: operation,
          [ATTR_DB_QUERY_SUMMARY]: summary,
          [ATTR_DB_QUERY_TEXT]: withoutLiterals(text),
        };
        const span = tracer.startSpan(summary, { kind: SpanKind.CLIENT, attributes }, context);
        return (error) => {
          if (error) endFailed(span, error);
          else span.end();
        };
      };
    },
    connected: (waitMs) => void activeSpan.getStore()?.addEvent('database connection acquired', { 'profile.wait_ms': waitMs }),
  };
}

function endFailed(span: Span, error: Error): void {
  const code = errorType(error);
  span.setAttributes({ [ATTR_ERROR_TYPE]: code, ...('severity' in error && { [ATTR_DB_RESPONSE_STATUS_CODE]: code }) });
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Returns the verb of a statement, and with the first table or function that it names: `SELECT organizations`. */
function summarize(text: string): { operation: string; summary: string } {
  const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'UNKNOWN';
  const table = /\b(?:from|into|update)\s+(?:only\s+)?((?:"?\w+"?\.)?"?\w+"?)/i.exec(text)?.[1]?.replaceAll('"', '');
  const target = table ?? /^\s*select\s+(\w+)\(/i.exec(text)?.[1];
  return { operation, summary: target ? `${operation} ${target}` : operation };
}

/** Replaces the texts in a statement. Values of requests are parameters; only constants of the code and of libraries are texts. */
const withoutLiterals = (text: string): string => text.replaceAll(/'(?:[^']|'')*'/g, "'?'");
