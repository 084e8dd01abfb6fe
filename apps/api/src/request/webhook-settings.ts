import type { Caller } from '@profile-service/auth';
import { ProblemError } from '@profile-service/contracts';
import type { Attempt, SecretBox, WebhookClient } from '@profile-service/webhooks';

/** What the handlers of webhooks use besides the database. */
export interface WebhookSettings {
  /** Encrypts the secrets of webhooks. Undefined if WEBHOOK_ENCRYPTION_KEY is not set. */
  secretBox: SecretBox | undefined;
  /**
   * Returns the reason why a webhook may not have this URL; undefined if it may. Resolves the host name, so call it outside of transactions. Throws RATE_LIMITED
   * if too many checks of the caller's tenant run.
   */
  checkUrl(caller: Caller, url: string): Promise<string | undefined>;
  /** Sends requests to webhooks. */
  client: WebhookClient;
  /** Sends a request now, for a caller who waits for the attempt. Throws RATE_LIMITED if too many such requests and checks of the caller's tenant run. */
  sendFor(caller: Caller, request: Parameters<WebhookClient['send']>[0]): Promise<Attempt>;
}

/** Returns the box of secrets. Throws SERVICE_UNAVAILABLE if there is no key: the log has the cause. */
export function secretBoxOf({ secretBox }: Pick<WebhookSettings, 'secretBox'>): SecretBox {
  if (secretBox) return secretBox;
  const cause = new Error('WEBHOOK_ENCRYPTION_KEY is not set: without it, the service cannot store the secrets of webhooks');
  throw new ProblemError('SERVICE_UNAVAILABLE', { cause });
}

interface Sealed {
  secret: Buffer;
  previousSecret: Buffer | null;
  previousSecretExpiresAt: string | null;
}

/**
 * Returns the secrets that sign the requests of a webhook: the current one, and the previous one until it expires. Throws SERVICE_UNAVAILABLE if they cannot be
 * decrypted: the log has the cause.
 */
export function secretsOf(
  settings: Pick<WebhookSettings, 'secretBox'>,
  { secret, previousSecret, previousSecretExpiresAt }: Sealed,
): string[] {
  const secretBox = secretBoxOf(settings);
  const isValid = previousSecret && previousSecretExpiresAt && new Date(previousSecretExpiresAt) > new Date();
  try {
    return [secret, ...(isValid ? [previousSecret] : [])].map((sealed) => secretBox.decrypt(sealed));
  } catch (error) {
    const cause = new Error('The secret of a webhook cannot be decrypted: check WEBHOOK_ENCRYPTION_KEY', { cause: error });
    throw new ProblemError('SERVICE_UNAVAILABLE', { cause });
  }
}

/** Throws WEBHOOK_URL_NOT_ALLOWED with the reason, or RATE_LIMITED. */
export async function assertUrlAllowed({ checkUrl }: WebhookSettings, caller: Caller, url: string): Promise<void> {
  const reason = await checkUrl(caller, url);
  if (reason !== undefined) throw new ProblemError('WEBHOOK_URL_NOT_ALLOWED', { detail: `${reason}.` });
}
