import { SettingsError } from '@profile-service/operations/settings';
import { delayFullCollections } from './service/delay-full-collections.ts';
import { type Service, startService } from './service/service.ts';
import { readSettings } from './settings.ts';

/** Aborted by the first signal. */
const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort());

/** The production entry. It embeds no database or identity provider. If settings are missing or invalid, it prints the errors and exits with code 1. */
try {
  delayFullCollections();
  const service = await startService(readSettings(process.env, { requireAudience: true }), { signal: stopping.signal });
  stopping.signal.addEventListener('abort', () => void stop(service));
} catch (error) {
  if (stopping.signal.aborted) process.exit(0);
  console.error(error instanceof SettingsError ? error.message : error);
  process.exit(1);
}

/** Stops the service and ends the process: with code 1 if a step of the stop has failed. The step has logged the error. */
function stop(service: Service): Promise<void> {
  return service.stop().then(
    () => process.exit(0),
    () => process.exit(1),
  );
}
