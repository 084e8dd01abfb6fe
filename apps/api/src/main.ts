import { startService } from './service.ts';
import { readSettings, SettingsError } from './settings.ts';

/** The production entry. It embeds no database or identity provider. If settings are missing or invalid, it prints the errors and exits with code 1. */
try {
  const service = await startService(readSettings(process.env, { requireAudience: true }));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void service.stop().then(() => process.exit(0)));
  }
} catch (error) {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exit(1);
}
