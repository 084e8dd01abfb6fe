import { checkUrl, createWebhookClient, parseAllowedHosts, type ResolveHost, SecretBox } from '@profile-service/webhooks';
import manifest from '../../package.json' with { type: 'json' };
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
  { WEBHOOK_ENCRYPTION_KEY: key, WEBHOOK_ALLOWED_HOSTS: allowedHosts = parseAllowedHosts(''), WEBHOOK_TIMEOUT_SECONDS }: Settings,
  checks: Admission,
  resolveHost?: ResolveHost,
): WebhookSettings {
  return {
    secretBox: key && new SecretBox(key),
    client: createWebhookClient({
      allowedHosts,
      timeoutMs: WEBHOOK_TIMEOUT_SECONDS * 1000,
      userAgent: `profile-service/${manifest.version}`,
      ...(resolveHost && { resolve: resolveHost }),
    }),
    checkUrl: async (caller, url) => checks.run(tenantKey(caller), neverAborted, () => checkUrl(url, allowedHosts, resolveHost)),
  };
}
