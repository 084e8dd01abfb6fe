import type { Endpoint } from '@profile-service/contracts';
import type { OperationResult } from './response.ts';
import { secretBoxOf, type WebhookSettings } from './webhook-settings.ts';

type Keys = Pick<WebhookSettings, 'secretBox'>;

/** Returns the response to store for an Idempotency-Key: the secret that the endpoint returns is encrypted, in base64. */
export const sealSecret = (endpoint: Endpoint, response: OperationResult, keys: Keys): OperationResult =>
  withSecret(endpoint, response, (secret) => secretBoxOf(keys).encrypt(secret).toString('base64'));

/** Returns a stored response with its secret decrypted. Throws SERVICE_UNAVAILABLE without a key. */
export const openSecret = (endpoint: Endpoint, response: OperationResult, keys: Keys): OperationResult =>
  withSecret(endpoint, response, (sealed) => secretBoxOf(keys).decrypt(Buffer.from(sealed, 'base64')));

function withSecret({ secretField }: Endpoint, response: OperationResult, change: (text: string) => string): OperationResult {
  if (secretField === null) return response;
  const body = response.body as Record<string, unknown>;
  const secret = body[secretField];
  if (typeof secret !== 'string') throw new Error(`The response has no ${secretField}`);
  return { ...response, body: { ...body, [secretField]: change(secret) } };
}
