export { type AllowedHosts, parseAllowedHosts } from './addresses/allowed-hosts.ts';
export { checkUrl } from './addresses/check-url.ts';
export type { ResolveHost } from './addresses/resolve-host.ts';
export { type Attempt, isDelivered } from './client/attempt.ts';
export { createWebhookClient, type WebhookClient, type WebhookClientOptions } from './client/create-client.ts';
export { signatureHeaders, type SignedContent } from './client/sign.ts';
export { createSecret } from './secrets/create-secret.ts';
export { SecretBox } from './secrets/secret-box.ts';
