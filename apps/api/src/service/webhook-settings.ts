import { checkUrl, parseAllowedHosts, type ResolveHost, SecretBox } from '@profile-service/webhooks';
import type { Admission } from '../request/limits/admission.ts';
import { tenantKey } from '../request/limits/keys.ts';
import { neverAborted } from '../request/limits/slots.ts';
import type { WebhookSettings } from '../request/webhook-settings.ts';
import type { Settings } from '../settings.ts';

/**
 * Creates what the handlers of webhooks use.
 * @param checks limits how many URLs of a tenant are checked at once: each look-up opens sockets, and takes 5 seconds if no name server answers
 * @param resolveHost replaces DNS
 */
export function webhookSettings(
  { WEBHOOK_ENCRYPTION_KEY: key, WEBHOOK_ALLOWED_HOSTS: allowedHosts = parseAllowedHosts('') }: Settings,
  checks: Admission,
  resolveHost?: ResolveHost,
): WebhookSettings {
  return {
    secretBox: key && new SecretBox(key),
    checkUrl: async (caller, url) => checks.run(tenantKey(caller), neverAborted, () => checkUrl(url, allowedHosts, resolveHost)),
  };
}
