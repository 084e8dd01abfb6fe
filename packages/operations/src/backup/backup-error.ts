/** A backup or a restore cannot be made. The message says why and what to do, without secrets. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
