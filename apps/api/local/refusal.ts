import { SettingsError } from '../src/settings.ts';

/** A start that cannot go on for a reason that the developer can mend. */
export class StartRefusal extends Error {}

/** What to print about an error that ended the start: its text alone where that says all, else everything. */
export function reasonOf(error: unknown, dataDir: string): unknown {
  if (error instanceof StartRefusal || error instanceof SettingsError) return error.message;
  if (error instanceof Error && error.message.startsWith('Another PostgreSQL runs on')) {
    return `Another start is using the data in ${dataDir}: end that one, or choose another folder with DATA_DIR`;
  }
  return error;
}
