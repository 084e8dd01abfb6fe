import { once } from 'node:events';
import { compose, type ComposeOptions, type Composition } from './compose.ts';
import { createLog, type Log } from '../observability/log.ts';
import { spanFieldsIfTraced } from '../observability/tracing/span-fields.ts';
import type { Settings } from '../settings.ts';
import { shutdownTimes } from './shutdown-times.ts';
import { StopSteps } from './stop-steps.ts';

/** A running service. */
export interface Service extends Omit<Composition, 'managementPort'> {
  /** The service's URL on this machine. */
  url: string;
  /** The management port's URL on this machine; undefined without MANAGEMENT_PORT. */
  managementUrl: string | undefined;
  /**
   * After SHUTDOWN_DELAY_SECONDS, stops accepting requests, completes the running ones and closes all connections, within SHUTDOWN_TIMEOUT_SECONDS.
   * Rejects if a step has failed. The other steps run all the same.
   */
  stop(): Promise<void>;
}

/** Options that are not settings. */
export interface ServiceOptions extends ComposeOptions {
  /** Default: JSON lines on standard output. */
  log?: Log;
  /** Aborts the start. */
  signal?: AbortSignal;
}

/**
 * Starts the service, for the production entry, `npm start` and the tests. If the start fails or is aborted, it closes what it has opened and throws the error.
 */
export async function startService(settings: Settings, options: ServiceOptions = {}): Promise<Service> {
  const log = options.log ?? createLog(settings.LOG_LEVEL, undefined, spanFieldsIfTraced(settings));
  const stopSteps = new StopSteps(log);
  const closeMs = settings.SHUTDOWN_DELAY_SECONDS * 1000 + shutdownTimes(settings).closeMs;
  try {
    const composing = compose(settings, options, log, stopSteps);
    const { managementPort, ...composition } = await (options.signal ? Promise.race([composing, abortOf(options.signal)]) : composing);
    return {
      ...composition,
      url: urlOf(composition.port),
      managementUrl: managementPort === undefined ? undefined : urlOf(managementPort),
      async stop() {
        await stopSteps.run(closeMs).finally(() => log.info('stopped'));
      },
    };
  } catch (error) {
    // The steps log their own failures.
    await stopSteps.run(closeMs).catch(() => undefined);
    throw error;
  }
}

/** Rejects when the signal is aborted. */
async function abortOf(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}

const urlOf = (port: number): string => `http://localhost:${port}`;
