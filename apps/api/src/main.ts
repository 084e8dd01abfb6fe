import { startService } from './service.ts';
import { readSettings, SettingsError } from './settings.ts';

/** The production entry. It starts no local replacements for dependencies. If settings are invalid, it prints the errors and exits with code 1. */
try {
  const service = await startService(readSettings(process.env, { requireAudience: true }));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void service.stop().then(() => process.exit(0)));
  }
} catch (error) {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exit(1);
}
