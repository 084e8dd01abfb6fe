import { ProblemError } from '@profile-service/contracts';
import { type AllowedHosts, checkUrl, type ResolveHost, type SecretBox } from '@profile-service/webhooks';

/** What the settings say about webhooks. */
export interface WebhookSettings {
  allowedHosts: AllowedHosts;
  /** Encrypts the secrets of webhooks. Undefined if WEBHOOK_ENCRYPTION_KEY is not set. */
  secretBox: SecretBox | undefined;
  /** Replaces DNS in tests. */
  resolveHost?: ResolveHost | undefined;
}

/** Returns the box of secrets. Throws SERVICE_UNAVAILABLE if there is no key: the log has the cause. */
export function secretBoxOf({ secretBox }: Pick<WebhookSettings, 'secretBox'>): SecretBox {
  if (secretBox) return secretBox;
  const cause = new Error('WEBHOOK_ENCRYPTION_KEY is not set: without it, the service cannot store the secrets of webhooks');
  throw new ProblemError('SERVICE_UNAVAILABLE', { cause });
}

/** Resolves the host name, so call it outside of transactions. Throws WEBHOOK_URL_NOT_ALLOWED with the reason. */
export async function assertUrlAllowed({ allowedHosts, resolveHost }: WebhookSettings, url: string): Promise<void> {
  const reason = await checkUrl(url, allowedHosts, resolveHost);
  if (reason !== undefined) throw new ProblemError('WEBHOOK_URL_NOT_ALLOWED', { detail: `${reason}.` });
}
