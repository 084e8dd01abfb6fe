import { SettingsError } from '@profile-service/operations/settings';
import { delayFullCollections } from './service/delay-full-collections.ts';
import { type Service, startService } from './service/service.ts';
import { readSettings } from './settings.ts';

/** Stops the service and ends the process: with code 1 if a step of the stop has failed. The step has logged the error. */
const stop = (service: Service): Promise<void> =>
  service.stop().then(
    () => process.exit(0),
    () => process.exit(1),
  );

/** The production entry. It embeds no database or identity provider. If settings are missing or invalid, it prints the errors and exits with code 1. */
try {
  delayFullCollections();
  const service = await startService(readSettings(process.env, { requireAudience: true }));
  let stopping: Promise<void> | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => void (stopping ??= stop(service)));
  }
} catch (error) {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exit(1);
}
