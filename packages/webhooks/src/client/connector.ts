import type { Socket } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import type { AllowedHosts } from '../addresses/allowed-hosts.ts';
import type { ResolveHost } from '../addresses/resolve-host.ts';
import { isAllowed, resolveTarget } from '../addresses/target.ts';
import { WebhookError } from '../webhook-error.ts';
import { describeTlsError } from './describe-error.ts';
import { openSocket } from './open-socket.ts';

/** What connections need to know. */
export interface ConnectorOptions {
  allowedHosts: AllowedHosts;
  resolve: ResolveHost;
  /** Time limit for TCP, and again for TLS, in milliseconds. */
  timeoutMs: number;
}

/**
 * Creates the function with which undici opens connections. It checks every address of the host before it connects, and the address of the connected socket before
 * it sends a byte. undici's own connector calls a `lookup` function for no IP address, and TLS sends its first message before anyone sees the address.
 */
export function createConnector({ allowedHosts, resolve, timeoutMs }: ConnectorOptions): buildConnector.connector {
  // The environment can switch off the validation of certificates for the process. It must not do so for webhooks.
  const startTls = buildConnector({ allowH2: false, timeout: timeoutMs, rejectUnauthorized: true });

  async function open(options: buildConnector.Options): Promise<Socket> {
    const addresses = await resolveTarget(options, allowedHosts, resolve);
    const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80));
    const accepts = (address: string): boolean => isAllowed(options, address, allowedHosts);
    const socket = await openSocket({ port, addresses, isAllowed: accepts, timeoutMs });
    if (options.protocol !== 'https:') return socket;
    return new Promise((done, fail) => {
      startTls({ ...options, httpSocket: socket }, (...[error, tls]) => {
        if (error) fail(new WebhookError(describeTlsError(error)));
        else done(tls);
      });
    });
  }

  const openOrFail = callbackify(open);
  return (options, callback) => {
    openOrFail(options, (error, socket) => {
      if (error) callback(error, null);
      else callback(null, socket);
    });
  };
}
