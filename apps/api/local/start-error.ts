import { SettingsError } from '@profile-service/operations/settings';

/** A start failed for a reason that its message explains in full. */
export class StartError extends Error {}

/** Returns what to print about an error that ended the start: only the message if it explains the error, else the whole error. */
export function describeError(error: unknown, dataDir: string): unknown {
  if (error instanceof StartError || error instanceof SettingsError) return error.message;
  if (error instanceof Error && error.message.startsWith('Another PostgreSQL runs on')) {
    return `Another npm start uses the data in ${dataDir}. Stop it, or set DATA_DIR to another folder.`;
  }
  if (/ENOSPC|No space left on device/.test(String(error))) return `The disk of ${dataDir} is full. The demo data need 100 MB.`;
  return error;
}
