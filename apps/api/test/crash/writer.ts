import { setTimeout as pause } from 'node:timers/promises';
import type { Owned, Write } from './writes.ts';

/** A write with its response. */
export interface Acknowledged {
  write: Write;
  status: number;
  body: string;
  /** Number of requests that it took. */
  requests: number;
}

/** Sends a write until it has a response that is final: neither a broken connection, nor a 503 or 429, nor an equal request in progress. */
export async function writeUntilAcknowledged(urlOf: () => string, write: Write): Promise<Acknowledged> {
  for (let requests = 1; ; requests += 1) {
    const response = await send(urlOf(), write).catch(() => undefined);
    const isFinal = response && ![429, 503].includes(response.status) && !response.body.includes('IDEMPOTENCY_KEY_IN_PROGRESS');
    if (isFinal) return { write, ...response, requests };
    await pause(20 + Math.random() * 200);
  }
}

/** Sends a write once. Rejects if the connection breaks. */
export async function send(
  url: string,
  { token, method, path, body, key }: Write,
): Promise<{ status: number; body: string; isReplay: boolean }> {
  const isForm = body instanceof FormData;
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(isForm || body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  return { status: response.status, body: await response.text(), isReplay: response.headers.get('idempotency-replayed') === 'true' };
}

/** Remembers the records that the writer may change later. */
export function remember(owned: Owned, { write, body, status }: Acknowledged): void {
  if (status !== 201) return;
  const { id } = JSON.parse(body) as { id: string };
  if (write.event === 'organization.created') owned.organizations.push(id);
  if (write.event === 'app.created') owned.apps.push(id);
}
