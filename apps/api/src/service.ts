import { setTimeout as pause } from 'node:timers/promises';
import { compose, type ComposeOptions, type Composition } from './compose.ts';
import { createLog, type Log } from './observability/log.ts';
import { spanFieldsIfTraced } from './observability/tracing/span-fields.ts';
import type { Settings } from './settings.ts';
import { shutdownTimes } from './shutdown-times.ts';

/** A running service. */
export interface Service extends Omit<Composition, 'managementPort'> {
  /** The service's URL on this machine. */
  url: string;
  /** The management port's URL on this machine; undefined without MANAGEMENT_PORT. */
  managementUrl: string | undefined;
  /** After SHUTDOWN_DELAY_SECONDS, stops accepting requests, completes the running ones and closes all connections, within SHUTDOWN_TIMEOUT_SECONDS. */
  stop(): Promise<void>;
}

/** Options that are not settings. */
export interface ServiceOptions extends ComposeOptions {
  /** Default: JSON lines on standard output. */
  log?: Log;
}

/** Starts the service, for the production entry, `npm start` and the tests. If the start fails, it closes what it has opened and throws the error. */
export async function startService(settings: Settings, options: ServiceOptions = {}): Promise<Service> {
  const log = options.log ?? createLog(settings.LOG_LEVEL, undefined, spanFieldsIfTraced(settings));
  const disposables = new AsyncDisposableStack();
  // A component that does not close in time is abandoned.
  const closeMs = settings.SHUTDOWN_DELAY_SECONDS * 1000 + shutdownTimes(settings).closeMs;
  const close = () => Promise.race([disposables.disposeAsync(), pause(closeMs, undefined, { ref: false })]);
  try {
    const { managementPort, ...composition } = await compose(settings, options, log, disposables);
    return {
      ...composition,
      url: urlOf(composition.port),
      managementUrl: managementPort === undefined ? undefined : urlOf(managementPort),
      async stop() {
        await close();
        log.info('stopped');
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const urlOf = (port: number): string => `http://localhost:${port}`;
