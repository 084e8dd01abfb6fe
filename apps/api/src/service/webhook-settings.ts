import { parseAllowedHosts, SecretBox } from '@profile-service/webhooks';
import type { WebhookSettings } from '../request/webhook-settings.ts';
import type { Settings } from '../settings.ts';

/** Reads the settings of webhooks. */
export const webhookSettings = ({ WEBHOOK_ENCRYPTION_KEY: key, WEBHOOK_ALLOWED_HOSTS: hosts }: Settings): WebhookSettings => ({
  allowedHosts: hosts ?? parseAllowedHosts(''),
  secretBox: key && new SecretBox(key),
});
