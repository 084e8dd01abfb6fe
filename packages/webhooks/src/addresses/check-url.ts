import { WebhookError } from '../webhook-error.ts';
import type { AllowedHosts } from './allowed-hosts.ts';
import { parseWebhookUrl } from './parse-url.ts';
import { createHostResolver, type ResolveHost } from './resolve-host.ts';
import { resolveTarget } from './target.ts';

/**
 * Checks the URL of a webhook and each address that its host name resolves to. Takes up to 5 seconds, if no name server answers.
 * @param resolve replaces DNS in tests
 * @returns the reason why the URL is not allowed, as a sentence without a full stop; undefined if it is allowed
 */
export async function checkUrl(
  url: string,
  allowedHosts: AllowedHosts,
  resolve: ResolveHost = createHostResolver(allowedHosts),
): Promise<string | undefined> {
  try {
    await resolveTarget(parseWebhookUrl(url), allowedHosts, resolve);
    return undefined;
  } catch (error) {
    if (error instanceof WebhookError) return error.message;
    throw error;
  }
}
