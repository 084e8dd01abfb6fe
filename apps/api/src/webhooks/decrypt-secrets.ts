import type { DeliverableWebhook } from '@profile-service/db';
import type { SecretBox } from '@profile-service/webhooks';

/** Returns the secrets of a webhook. Undefined if they cannot be decrypted. @param secretBox undefined without WEBHOOK_ENCRYPTION_KEY */
export function decryptSecrets(secretBox: SecretBox | undefined, { secrets }: Pick<DeliverableWebhook, 'secrets'>): string[] | undefined {
  try {
    return secretBox && secrets.map((secret) => secretBox.decrypt(secret));
  } catch {
    return undefined;
  }
}
