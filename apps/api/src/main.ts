import { startService } from './service.ts';
import { readSettings, SettingsError } from './settings.ts';

/** The production entry: no stand-ins; absent settings stop it with one message that names them all. */
try {
  const service = await startService(readSettings(process.env));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void service.stop().then(() => process.exit(0)));
  }
} catch (error) {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exit(1);
}
