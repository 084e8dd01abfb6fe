import type { Log } from '../log.ts';
import { type TracingSettings, tracesUrl } from './settings.ts';
import type { Tracing } from './tracing.ts';

/** Starts tracing if the settings name a receiver. Only then loads the packages of OpenTelemetry. */
export async function startTracing(settings: TracingSettings, log: Log): Promise<Tracing | undefined> {
  const url = tracesUrl(settings);
  if (url === undefined) return undefined;
  const { createTracing } = await import('./create-tracing.ts');
  return createTracing(url, settings, log);
}
