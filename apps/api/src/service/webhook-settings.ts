import type { Caller } from '@profile-service/auth';
import { checkUrl, createWebhookClient, parseAllowedHosts, type ResolveHost, SecretBox } from '@profile-service/webhooks';
import manifest from '../../package.json' with { type: 'json' };
import type { Admission } from '../request/limits/admission.ts';
import { tenantKey } from '../request/limits/keys.ts';
import { neverAborted } from '../request/limits/slots.ts';
import type { WebhookSettings } from '../request/webhook-settings.ts';
import type { Settings } from '../settings.ts';

/**
 * Creates what the handlers of webhooks use.
 * @param checks limits how many URLs of a tenant are checked or tested at once: each opens sockets, and takes seconds if a server does not answer
 * @param resolveHost replaces DNS
 */
export function webhookSettings(
  { WEBHOOK_ENCRYPTION_KEY: key, WEBHOOK_ALLOWED_HOSTS: allowedHosts = parseAllowedHosts(''), WEBHOOK_TIMEOUT_SECONDS }: Settings,
  checks: Admission,
  resolveHost?: ResolveHost,
): WebhookSettings {
  const client = createWebhookClient({
    allowedHosts,
    timeoutMs: WEBHOOK_TIMEOUT_SECONDS * 1000,
    userAgent: `profile-service/${manifest.version}`,
    ...(resolveHost && { resolve: resolveHost }),
  });
  const limited = async <T>(caller: Caller, work: () => Promise<T>) => checks.run(tenantKey(caller), neverAborted, work);
  return {
    secretBox: key && new SecretBox(key),
    client,
    checkUrl: (caller, url) => limited(caller, () => checkUrl(url, allowedHosts, resolveHost)),
    sendFor: (caller, request) => limited(caller, () => client.send(request)),
  };
}
