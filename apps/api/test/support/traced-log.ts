import { z } from 'zod';
import { createLog, type Log } from '../../src/observability/log.ts';
import { tracingShape } from '../../src/observability/tracing/settings.ts';
import { spanFieldsIfTraced } from '../../src/observability/tracing/span-fields.ts';

/** A line of a log with the ids of the active span. */
export interface TracedLine {
  msg: string;
  trace_id?: string;
  span_id?: string;
}

/** Creates a log as a traced service has it. @param settings of tracing  @param lines gets each line */
export function createTracedLog(settings: Record<string, string>, lines: TracedLine[], level = 'info'): Log {
  const to = { write: (line: string) => void lines.push(JSON.parse(line) as TracedLine) };
  return createLog(level, to, spanFieldsIfTraced(z.object(tracingShape).parse(settings)));
}
