import { startService } from './service.ts';
import { readSettings, SettingsError } from './settings.ts';

/** The production entry. It starts no stand-ins: when settings are absent, it prints their names and ends. */
try {
  const service = await startService(readSettings(process.env, { requireAudience: true }));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void service.stop().then(() => process.exit(0)));
  }
} catch (error) {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exit(1);
}
