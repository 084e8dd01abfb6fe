import { startService } from './service.ts';
import { readSettings, SettingsError } from './settings.ts';

/** The production entry. It embeds no database or identity provider: if settings are missing, it prints their names and exits. */
try {
  const service = await startService(readSettings(process.env, { requireAudience: true }));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void service.stop().then(() => process.exit(0)));
  }
} catch (error) {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exit(1);
}
