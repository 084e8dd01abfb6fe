import { createSecret, createWebhookClient, parseAllowedHosts, signatureHeaders } from '@profile-service/webhooks';

/** The body that every request has. A receiver that verifies the parsed body, instead of its bytes, rejects it. */
const body = '{ "type": "organization.updated",  "data": { "name": "Cooperativa São João 🌾", "share": 1.0 } }';

/** A request to a receiver, and the status of its response. */
export interface Check {
  name: string;
  status: 204 | 400;
  send(url: string, secret: string): Promise<number | string | null>;
}

const client = createWebhookClient({
  allowedHosts: parseAllowedHosts('localhost,127.0.0.0/8'),
  timeoutMs: 15_000,
  userAgent: 'profile-service/0.0.0',
});

interface Variation {
  id: string;
  /** The time of the request, in minutes from now on. */
  minutes?: number;
  secretsOf?: (secret: string) => string[];
}

/** A request of the service. */
const signed = (name: string, status: Check['status'], { id, minutes = 0, secretsOf = (secret) => [secret] }: Variation): Check => ({
  name,
  status,
  async send(url, secret) {
    const attempt = await client.send({ url, id, body, secrets: secretsOf(secret), at: new Date(Date.now() + minutes * 60_000) });
    return attempt.responseStatus ?? attempt.error;
  },
});

/** A signed request that someone has changed. */
const changed = (name: string, change: (headers: Record<string, string>) => { headers: Record<string, string>; text?: string }): Check => ({
  name,
  status: 400,
  async send(url, secret) {
    const { headers, text = body } = change(signatureHeaders({ id: 'changed', body, secrets: [secret], at: new Date() }));
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: text });
    await response.arrayBuffer();
    return response.status;
  },
});

/** The checks in their order. */
export const checks: readonly Check[] = [
  signed('an event', 204, { id: 'first' }),
  signed('the same event again', 204, { id: 'first' }),
  signed('an event during the rotation of the secret', 204, { id: 'rotation', secretsOf: (secret) => [createSecret(), secret] }),
  signed('another secret', 400, { id: 'forged', secretsOf: () => [createSecret()] }),
  signed('a timestamp of 6 minutes ago', 400, { id: 'old', minutes: -6 }),
  signed('a timestamp in 6 minutes', 400, { id: 'early', minutes: 6 }),
  changed('another body', (headers) => ({ headers, text: body.replace('updated', 'deleted') })),
  changed('another id', (headers) => ({ headers: { ...headers, 'webhook-id': 'replayed' } })),
  changed('no signature', () => ({ headers: { 'webhook-id': 'unsigned' } })),
  changed('a malformed signature', (headers) => ({ headers: { ...headers, 'webhook-signature': 'v1' } })),
  changed('a signature of another version', (headers) => ({
    headers: { ...headers, 'webhook-signature': headers['webhook-signature']?.replace('v1,', 'v2,') ?? '' },
  })),
  signed('a last event', 204, { id: 'last' }),
];

/** What a receiver prints: each event that it accepts, once. */
export const expectedLines = ['first', 'rotation', 'last'].map((id) => `${id} organization.updated`);
