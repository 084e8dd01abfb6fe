import { WebhookError } from '../webhook-error.ts';

/**
 * Parses the URL of a webhook, and checks what does not depend on its addresses.
 * @returns the URL; its host name has no trailing dot
 * @throws WebhookError with the rule that the URL breaks
 */
export function parseWebhookUrl(text: string): URL {
  if (!URL.canParse(text)) throw new WebhookError('The URL is not valid');
  const url = new URL(text);
  if (!['http:', 'https:'].includes(url.protocol)) throw new WebhookError('The URL must begin with https://');
  if (url.username !== '' || url.password !== '') throw new WebhookError('The URL must not contain a user name or a password');
  // URL leaves out the default port.
  const isPortAllowed = url.port === '' || url.port === '443' || Number(url.port) > 1023;
  if (!isPortAllowed) throw new WebhookError('The port must be 443, 8443 or above 1023');
  url.hostname = url.hostname.replace(/\.$/, '');
  return url;
}
