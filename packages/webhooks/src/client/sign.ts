import { createHmac } from 'node:crypto';
import { keyOf } from '../secrets/create-secret.ts';

/** A request of a webhook before it is signed. */
export interface SignedContent {
  /** The id of the event. Each attempt to send it has the same. */
  id: string;
  body: string | Buffer;
  /** The secrets to sign with. After a rotation, the new one and the previous one. */
  secrets: string[];
  /** The time of the attempt. */
  at: Date;
}

/** Returns the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` of the Standard Webhooks specification. */
export function signatureHeaders({ id, body, secrets, at }: SignedContent): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body);
    return `v1,${hmac.digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
