import type { Agent } from 'undici';
import type { AllowedHosts } from '../addresses/allowed-hosts.ts';
import { createHostResolver, type ResolveHost } from '../addresses/resolve-host.ts';
import type { Attempt } from './attempt.ts';
import { sendRequest } from './send-request.ts';
import type { SignedContent } from './sign.ts';

/** Settings of the client. */
export interface WebhookClientOptions {
  allowedHosts: AllowedHosts;
  /** Time limit of an attempt in milliseconds, from the look-up of the name to the end of the response. */
  timeoutMs: number;
  /** The header `User-Agent`. */
  userAgent: string;
  /** Replaces DNS in tests. */
  resolve?: ResolveHost;
}

/** Sends requests to webhooks. */
export interface WebhookClient {
  /** Makes one attempt. Never rejects. */
  send(request: SignedContent & { url: string }): Promise<Attempt>;
  /** Closes all connections. Attempts that run fail. */
  close(): Promise<void>;
}

/**
 * Creates the HTTP client of webhooks. It neither follows redirects nor uses a proxy. A connection serves one request at a time and stays open for further ones. It has no
 * limit of connections: a request must not wait for another one to the same host. The caller limits how many attempts run at once.
 */
export function createWebhookClient(options: WebhookClientOptions): WebhookClient {
  const { allowedHosts, timeoutMs, userAgent, resolve = createHostResolver(allowedHosts) } = options;
  let agent: Promise<Agent> | undefined;
  // undici has 1.3 MB of code, which a service without webhooks does not load.
  const load = () => (agent ??= import('./agent.ts').then(({ createAgent }) => createAgent({ allowedHosts, resolve, timeoutMs })));
  return {
    send: async (request) => sendRequest(await load(), request, { timeoutMs, userAgent }),
    close: async () => (await agent)?.destroy(),
  };
}
